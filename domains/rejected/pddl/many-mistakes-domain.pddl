(define (domain boxes)
  (:requirements :typing :fluents)
  (:types place thing - object
          box cart - thing)
  (:predicates (at ?t - thing ?p - place)
               (way ?a ?b -place)
               (in ?b - box ?c - cart)
               light ?b - box)
  (:functions (total-cost) (weight ?b - boks) - number)

  (:action push
    :parameters (?c - cart ?a ?b - place ?a)
    :precondition (and (at ?c ?a) (way ?a ?bb) (not (at ?c ?b) (way ?b ?a)))
    :effect (and (not (at ?c ?a)) (at ?c ?b) (or (at ?c ?a)) (increase (total-cost) -1)))

  (:action load
    :parameters (?b - box ?c - cart ?p - place)
    :precondition at ?b ?p
    :effects (and (not (at ?b)) (inn ?b ?c) (assign (weight ?b) 0)))

  (:action load
    :parameter (?b - box)
    :precondition (when (at ?b wagon) (in ?b wagon))))
