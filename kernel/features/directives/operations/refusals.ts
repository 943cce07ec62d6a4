/** What to do about a refusal of a directive file, where the general words do not say it. Called by the operations on directive files. */
import type { Refusals } from '../../../operations/operation.ts'

/** What a new file begins as. */
export const NEW_FILE = '---\nowns: what this file is the one place for\nmode: agent_requested\n---\n'

export const REFUSALS: Refusals = Object.freeze({
  directive_name:
    'That cannot be the name of a file. Names are capital letters and digits, with - or _ between: SOUL, TRAVEL-PLANS.',
  directive_unknown:
    'There is no such file or version. `pfar brain list` and `pfar brain history` show what there is.',
  directive_header: `A file begins with a header that says what it is for:\n${NEW_FILE}`,
  directive_shrinks:
    'That would take lines out, and nothing was changed. To do so: pfar brain edit --cleanup; you are shown the lines before they go.',
  directive_budget: 'There are as many files of your own as there may be. Empty one with --cleanup first.',
  field_too_large: 'That is too long for one file. Nothing was changed.',
  record_stale: 'The file was changed meanwhile. Nothing was written; look at it and try again.',
  secret_pasted:
    'There is a key or a token in that text. Directive files are read by models: keep it with `pfar secret set`.',
  nothing_found: 'Nothing was written.',
})
