/**
 * Version of the software that this edge was deployed with, as package.json names it; a test compares them. Must not
 * be read from a file, as there are none. Called by place-lines.ts.
 */
export const VERSION = '0.1.0'
