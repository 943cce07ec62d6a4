/**
 * The answer to a message with a part that code must not decide and that no model planned: what is unclear,
 * and how to say it, with the owner's own words. Must not plan. Called by answer.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { tell } from '../../../../kernel/wording/words.ts'
import { type Open, openIn } from '../../../extractors/message/message-open.ts'
import { momentOf } from '../several.ts'
import { line } from './text.ts'

/** Most characters of the owner's words that are repeated. */
const SAID_MAX = 160

/** Null where nothing was left open, or that was not the reason. */
export function openAnswer(parts: PromptParts): string | null {
  const open = openIn(parts.request, momentOf(parts))
  if (open === null || open.why !== parts.instruction) return null
  const words = line(open.words, SAID_MAX)
  switch (open.why) {
    case 'zone_unknown':
      return tell('rules.open_zone_unknown', { words })
    case 'zone_apart':
      return tell('rules.open_zone_apart', { words })
    case 'zone_repeats':
      return tell('rules.open_zone_repeats', { words })
    case 'one_event_at_a_time':
      return tell('rules.open_one_event_at_a_time')
    case 'condition_unchecked':
      return tell('rules.open_condition_unchecked', { words, request: line(plainRequest(open), SAID_MAX) })
    case 'not_understood':
      return null
  }
}

const GERMAN = /(?<!\p{L})erinner/iu
const IF = /^(?:but |aber )?(?:only |nur )?(?:if|provided(?: that)?|wenn|falls|sofern)[,\s]+/iu
const UNLESS = /^(?:but |aber )?(?:unless|es sei denn|außer(?:,? wenn)?)[,\s]+/iu
/** A request that says of what by pointing at the condition. */
const OF_IT = /[\s,]+(?:(?:of|about) (?:it|this|that)|d(?:a)?ran)(?!\p{L})/iu
/** Words of a time and of asking alone: nothing is said to be reminded of. */
const ABOUT = /(?<!\p{L})(?:to|that|about|of|an|dass|zu|für)(?!\p{L})|:\s*\S|,\s*\p{L}.*\szu\s/iu

/** The request without its condition, as one that is understood: in the language in which it was typed. */
function plainRequest({ words, request }: Open): string {
  const bare = request.replace(/(?<![\s,.;!?])[\s,.;!?]+$/u, '')
  const plain = bare.replace(OF_IT, '')
  if (plain === bare && ABOUT.test(bare.replace(/^.*?(?:remind me|erinner\p{L}*(?: du)? mich)/isu, '')))
    return bare
  const isGerman = GERMAN.test(request)
  if (words.endsWith('?')) return `${plain}: ${words}`
  if (IF.test(words)) return `${plain} ${isGerman ? 'daran, dass' : 'that'} ${words.replace(IF, '')}`
  const said = words.replace(UNLESS, '')
  return isGerman ? `${plain}: ${said}?` : `${plain} to see whether ${said}`
}
