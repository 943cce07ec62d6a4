/**
 * Failures in words: what was tried, why it failed, and what can be done next. An unknown code becomes a plain
 * apology; no code is ever shown. Called by answer.ts.
 */

import type { TroubleView } from '../../../kernel/prompt/parts.ts'
import { isReasonCode } from '../../../kernel/reasons.ts'
import type { Audience } from '../../../kernel/self/section.ts'
import { wordsFor, wordsForOthers } from '../../../kernel/wording/words.ts'
import { actionWords } from '../../tools/registered.ts'
import { TRIED, TRIED_ELSE, UNKNOWN_TROUBLE } from './words.ts'

/** Reasons that need the name of what was tried; the others are sentences on their own. */
const NEEDS_SUBJECT =
  /^(?:remote_|network_|response_|credential_|host_|scheme_|address_|url_|redirect_|field_|token_|reference_|tool_(?:failed|timeout|result_invalid|arguments_invalid|unavailable)$|storage_|internal_)/

interface Reader {
  /** An empty plan has been explained already. */
  readonly explained: boolean
  readonly audience: Audience
}

/** Removes repeated sentences. */
export function troubleWords(
  troubles: readonly TroubleView[],
  { explained, audience }: Reader,
): readonly string[] {
  const told = troubles
    .filter(({ reason }) => !(explained && reason === 'plan_empty'))
    .map((trouble) => sentence(trouble, audience))
  return [...new Set(told)]
}

function sentence({ tool, reason }: TroubleView, audience: Audience): string {
  const words = audience === 'owner' ? wordsFor : wordsForOthers
  const why = isReasonCode(reason) ? words(reason) : UNKNOWN_TROUBLE
  if (tool === '' || !NEEDS_SUBJECT.test(reason)) return why
  return `${actionWords(tool)?.failed ?? (Object.hasOwn(TRIED, tool) ? TRIED[tool] : TRIED_ELSE)} ${why}`
}
