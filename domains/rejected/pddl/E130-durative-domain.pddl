(define (domain boxes)
  (:types place thing - object
          box cart - thing)
  (:predicates (at ?t - thing ?p - place)
               (way ?a ?b - place)
               (in ?b - box ?c - cart))

  (:durative-action push
    :parameters (?c - cart ?a ?b - place)
    :duration (= ?duration 5)
    :condition (and (at start (at ?c ?a)) (over all (way ?a ?b)))
    :effect (and (at start (not (at ?c ?a))) (at end (at ?c ?b))))

  (:action load
    :parameters (?b - box ?c - cart ?p - place)
    :precondition (and (at ?b ?p) (at ?c ?p))
    :effect (and (not (at ?b ?p)) (in ?b ?c))))
