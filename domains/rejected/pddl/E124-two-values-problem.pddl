(define (problem two-places)
  (:domain boxes)
  (:objects yard shed - place
            crate - box
            wagon - cart)
  (:init (at crate shed) (at wagon yard) (way yard shed) (way shed yard)
         (= (length yard shed) 2) (= (length shed yard) 2) (= (length yard shed) 3))
  (:goal (in crate wagon)))
