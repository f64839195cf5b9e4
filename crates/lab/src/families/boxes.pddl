(define (domain boxes)
  (:requirements :strips :typing :negative-preconditions)
  (:types place creature box)
  (:predicates
    (at-c ?l - place ?c - creature)
    (at-o ?l - place ?o - box)
    (hold ?o - box ?c - creature)
    (busy ?c - creature))
  (:action take
    :parameters (?l - place ?c - creature ?o - box)
    :precondition (and (at-c ?l ?c) (at-o ?l ?o) (not (hold ?o ?c)) (not (busy ?c)))
    :effect (and (hold ?o ?c) (busy ?c) (not (at-o ?l ?o))))
  (:action drop
    :parameters (?l - place ?c - creature ?o - box)
    :precondition (and (at-c ?l ?c) (hold ?o ?c))
    :effect (and (at-o ?l ?o) (not (hold ?o ?c)) (not (busy ?c))))
  (:action move
    :parameters (?c - creature ?from ?to - place)
    :precondition (at-c ?from ?c)
    :effect (and (not (at-c ?from ?c)) (at-c ?to ?c))))
