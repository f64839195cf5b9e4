(define (domain boxes)
  (:types place thing - object
          box cart - thing)
  (:predicates (at ?t - thing ?p - place)
               (way ?a ?b - place)
               (in ?b - box ?c - cart))

  (:functions (strength ?c - cart) - number)

  (:action push
    :parameters (?c - cart ?a ?b - place)
    :precondition (and (at ?c ?a) (way ?a ?b) (>= (/ (strength ?c) 2) 1))
    :effect (and (not (at ?c ?a)) (at ?c ?b) (decrease (strength ?c) 1)))

  (:action load
    :parameters (?b - box ?c - cart ?p - place)
    :precondition (and (at ?b ?p) (at ?c ?p))
    :effect (and (not (at ?b ?p)) (in ?b ?c))))
