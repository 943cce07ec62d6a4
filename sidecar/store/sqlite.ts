/** Node's built-in SQLite, loaded when needed. Must not open anything. Called by every file at home that opens a database. */

/**
 * Node 22 warns on load that its SQLite is experimental. That decision is ours (docs/decisions/002), so users do not
 * see the warning.
 */
export function loadSqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
