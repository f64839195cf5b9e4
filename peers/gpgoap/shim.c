/* A door to GPGOAP of the few types that Rust can name: one problem at a time, by name.
 *
 * In:   the names of actions and atoms, which must outlive the problem.
 * Out:  the names of a plan's actions, and what it costs.
 *
 * GPGOAP itself stays where THRONG_GPGOAP says; nothing of it is here. */
#include "goap.h"
#include "astar.h"
#include <stdlib.h>

typedef struct {
    actionplanner_t planner;
    worldstate_t start, goal;
} problem_t;

problem_t *peers_gpgoap_new(void) {
    problem_t *problem = malloc(sizeof *problem);
    if (!problem) return 0;
    goap_actionplanner_clear(&problem->planner);
    goap_worldstate_clear(&problem->start);
    goap_worldstate_clear(&problem->goal);
    return problem;
}

void peers_gpgoap_free(problem_t *problem) { free(problem); }

bool peers_gpgoap_start(problem_t *problem, const char *atom, bool value) {
    return goap_worldstate_set(&problem->planner, &problem->start, atom, value);
}

bool peers_gpgoap_goal(problem_t *problem, const char *atom, bool value) {
    return goap_worldstate_set(&problem->planner, &problem->goal, atom, value);
}

bool peers_gpgoap_needs(problem_t *problem, const char *action, const char *atom, bool value) {
    return goap_set_pre(&problem->planner, action, atom, value);
}

bool peers_gpgoap_sets(problem_t *problem, const char *action, const char *atom, bool value) {
    return goap_set_pst(&problem->planner, action, atom, value);
}

bool peers_gpgoap_cost(problem_t *problem, const char *action, int cost) {
    return goap_set_cost(&problem->planner, action, cost);
}

/* The number of steps, or -1; their names go to `plan`, which has room for `room`. */
int peers_gpgoap_plan(problem_t *problem, const char **plan, int room) {
    worldstate_t states[MAXACTIONS];
    int steps = room < MAXACTIONS ? room : MAXACTIONS;
    int cost = astar_plan(&problem->planner, problem->start, problem->goal, plan, states, &steps);
    return cost < 0 ? -1 : steps;
}
