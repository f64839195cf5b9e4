(define (problem two-places)
  (:domain boxes)
  (:objects yard shed - place
            crate - box
            wagon - cart)
  (:init (at crate shed) (at wagon yard) (at yard shed) (way yard shed) (way shed yard))
  (:goal (in crate wagon)))
