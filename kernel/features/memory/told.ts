/**
 * Naming of memory entries that home received from the edge. Called by open-memory.ts, which assigns the ids, and by
 * the store, which keeps them separate.
 */

/** Prefix of ids of entries from the edge: no id made at home contains a slash. */
export const TOLD = 'open/'
