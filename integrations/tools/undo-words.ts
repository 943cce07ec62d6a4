/** Words that ask to undo what was done last: every package that can undo something uses them. Data only. Called by phrases. */

export const UNDO =
  '(undo|undo that|undo it|undo this|undo (the|my) last [thing|step|change|action]|revert that|revert it|take it back|take that back)'
export const UNDO_GERMAN =
  '((mach|mache) [das|es|alles|den letzten schritt|die letzte änderung] [bitte] [wieder|sofort] rückgängig|(nimm|nehme) (das|es) [bitte] [wieder] zurück|rückgängig [machen])'
