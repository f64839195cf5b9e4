(define (domain boxes)
  (:types place thing - object
          box cart - thing)
  (:predicates (at ?t - thing ?p - place)
               (way ?a ?b - place)
               (in?b - box?c - cart))

  (:action push
    :parameters (?c - cart ?a ?b - place)
    :precondition (and (at ?c ?a) (way ?a?b))
    :effect (and (not (at ?c ?a)) (at ?c ?b)))

  (:action load
    :parameters (?b - box ?c - cart ?p - place)
    :precondition (and (at ?b ?p) (at ?c ?p))
    :effect (and (not (at ?b ?p)) (in ?b ?c))))
