/**
 * Node's own SQLite, loaded when it is needed. Must not open anything. Called by every file at home that opens a database.
 */

/**
 * Node 22 warns that its SQLite is experimental whenever it is loaded. That is our decision to have made
 * (docs/decisions/002), not something to tell everybody who asks for his mail.
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
