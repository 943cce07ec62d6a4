/**
 * How what the edge told of its owner is named at home. Called by open-memory.ts, which names it, and by the store,
 * which keeps it apart.
 */

/** Begins the ids that stand for what the edge told: no id of home's own holds a slash. */
export const TOLD = 'open/'
