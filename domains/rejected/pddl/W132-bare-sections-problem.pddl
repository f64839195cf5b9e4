(:objects loc1 c1 o1)
(:init (at-c loc1 c1) (at-o loc1 o1))
(:goal (hold o1 c1))
