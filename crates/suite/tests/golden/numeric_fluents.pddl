(define (domain task)
  (:requirements :strips :conditional-effects :disjunctive-preconditions :action-costs :numeric-fluents)
  (:constants no yes none stone iron home mine)
  (:predicates
    (mood_known ?value)
    (pick ?value)
    (place ?value))
  (:functions (hp) (mp) (ore) (price) (gold) (mood) (total-cost))
  (:action heal
    :parameters ()
    :precondition (and (>= (mp) 0))
    :effect (and
      (when (and (<= (hp) 70)) (increase (hp) 10))
      (when (and (>= (hp) 71) (<= (hp) 79)) (assign (hp) 80))
      (decrease (mp) 5)
      (increase (total-cost) 10)))
  (:action bleed
    :parameters ()
    :precondition (and (>= (hp) 6))
    :effect (and
      (when (and (>= (hp) 12)) (decrease (hp) 7))
      (when (and (>= (hp) 6) (<= (hp) 11)) (assign (hp) 5))
      (increase (total-cost) 10)))
  (:action dig
    :parameters ()
    :precondition (and (place mine) (<= (ore) 61) (or (pick stone) (pick iron)))
    :effect (and
      (increase (ore) 3)
      (increase (total-cost) 15)))
  (:action sell
    :parameters ()
    :precondition (and (mood_known yes) (or (<= (hp) 29) (= (hp) 50)) (>= (ore) 2) (or (<= (mood) -1) (>= (mood) 1)))
    :effect (and
      (decrease (ore) 2)
      (when (and (<= (gold) 41)) (increase (gold) 9))
      (when (and (>= (gold) 42) (<= (gold) 49)) (assign (gold) 50))
      (increase (total-cost) 10)))
  (:action buy
    :parameters ()
    :precondition (and (>= (gold) (price)))
    :effect (and
      (not (pick none)) (not (pick stone)) (pick iron)
      (assign (gold) 0)
      (increase (total-cost) 10)))
  (:action rest
    :parameters ()
    :precondition (and)
    :effect (and
      (not (mood_known no)) (mood_known yes)
      (assign (mood) 2)
      (increase (total-cost) 10)))
  (:action go
    :parameters ()
    :precondition (and (place home))
    :effect (and
      (not (place home)) (place mine)
      (increase (total-cost) 10)))
  (:action wait
    :parameters ()
    :precondition (and (<= (mp) 19))
    :effect (and
      (increase (mp) 1)
      (increase (total-cost) 10)))
)
(define (problem task-problem)
  (:domain task)
  (:init
    (mood_known no)
    (pick stone)
    (place home)
    (= (hp) 50)
    (= (mp) -5)
    (= (ore) 0)
    (= (price) 30)
    (= (gold) 0)
    (= (mood) -3)
    (= (total-cost) 0)
  )
  (:goal (or
    (and (mood_known yes) (>= (gold) 20) (<= (gold) 40) (or (<= (mood) -2) (>= (mood) 0)))
    (and (mood_known yes) (or (<= (mood) -2) (>= (mood) 0)) (>= (ore) 64))))
  (:metric minimize (total-cost))
)
