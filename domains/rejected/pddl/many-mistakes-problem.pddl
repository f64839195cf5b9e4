(define (problem two-places)
  (:domain crates)
  (:objects yard shed - place
            crate - box
            ?wagon wagon - cart)
  (:init (at crate shd) (and (at wagon yard) (way yard shed)) (way shed yard) (way shed yard)
         (= (weight crate) heavy))
  (:goal in crate wagon)
  (:metric minimize (total-time)))
