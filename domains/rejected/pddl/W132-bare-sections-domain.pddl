; Take and Drop without a frame, as "Optimizing Practical Planning for Game AI" prints them.
(:predicates (at-c ?l ?c) (at-o ?l ?o) (hold ?o ?c))

(:action Take
  :parameters (?l ?c ?o)
  :preconditions (and (at-c ?l ?c) (at-o ?l ?o))
  :effects (and (hold ?o ?c) (not (at-o ?l ?o))))

(:action Drop
  :parameters (?l ?c ?o)
  :preconditions (and (at-c ?l ?c) (hold ?o ?c))
  :effects (and (at-o ?l ?o) (not (hold ?o ?c))))
