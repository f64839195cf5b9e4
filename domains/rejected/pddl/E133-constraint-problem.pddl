(define (problem two-places)
  (:domain boxes)
  (:objects yard shed - place
            crate - box
            wagon - cart)
  (:init (at crate shed) (at wagon yard) (way yard shed) (way shed yard))
  (:constraints (always (at wagon yard)))
  (:goal (in crate wagon)))
