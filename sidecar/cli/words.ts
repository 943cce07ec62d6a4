/**
 * One sentence per way in which a line can fail, for when no answer came. A task's own errors are in the place's
 * answer. Must not show content. Called by the commands.
 */

import type { Refusal } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { tell } from '../language/wording.ts'
import { startCommand } from '../process/installed-parts.ts'
import { refusalDetail } from '../process/start-sentence.ts'

/** Codes with a sentence of their own here, under the keys `terminal.fails_…`. */
const FAILS = [
  'home_offline',
  'home_timeout',
  'remote_unavailable',
  'signature_invalid',
  'event_stale',
  'place_not_cleared',
  'pairing_refused',
  'edge_not_pinned',
  'device_revoked',
  'url_malformed',
  'response_timeout',
  'remote_rate_limited',
  'remote_rejected',
  'event_too_large',
  'event_malformed',
  'approval_unknown',
  'approval_expired',
  'approval_spent',
  'approval_wrong_principal',
  'approval_place_too_low',
  'approval_step_up',
  'identity_linked',
  'identity_unknown',
  'template_none_matches',
  'agreement_unknown',
  'principal_malformed',
  'principal_not_allowed',
  'grant_missing',
  'write_raw',
  'write_free_text',
  'declassification_forbidden',
  'field_malformed',
  'edge_locked',
  'choice_ambiguous',
  'nothing_found',
  'memory_gone',
  'memory_unknown',
  'task_unknown',
  'task_stuck',
  'frame_malformed',
  'credential_missing',
  'config_malformed',
] as const satisfies readonly ReasonCode[]

/** Codes whose general sentence is sufficient. */
const GENERAL: readonly ReasonCode[] = ['storage_full', 'storage_failed', 'choice_missing']

/**
 * Always a sentence; a code without one is shown by name, which is no secret to the owner. Facts are shown only
 * for this machine's configuration and files: refusals of another place have none.
 */
export function sentenceFor(refusal: Refusal): string {
  const { code, facts } = refusal
  if (code === 'config_malformed' && facts['key'] !== undefined)
    return `config.toml: ${refusalDetail(refusal)}.`
  if (facts['file'] !== undefined && facts['problem'] !== undefined)
    return `${refusalDetail(refusal)}. (${code})`
  if (GENERAL.includes(code)) return wordsFor(code)
  const known = FAILS.find((one) => one === code)
  if (known === undefined) return tell('terminal.fails_else', { code: code.replaceAll('_', ' ') })
  return tell(`terminal.fails_${known}`, { start: startCommand() })
}
