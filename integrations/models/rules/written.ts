/**
 * Plans a search for whether a named person wrote, and about what: "has Priya emailed the new rota yet", "hat
 * sich die WG gemeldet". Searches by sender and the rest of the question. Must not read a second request, nor
 * whether anybody wrote. Called by planner.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { type Moment, readDates } from '../../dates/read.ts'
import { likelyOf } from '../../extractors/learned/likely.ts'
import { namesCalendar, saysSecond } from '../../extractors/message/message-coverage.ts'
import { asksChange, namedWords } from '../../extractors/message/message-seek.ts'
import { momentOf } from './several.ts'
import { call, steps } from './steps.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 160
/** How likely the message must be of mail. */
const LEAST = 0.5
const MOST_NAME = 4
const MOST_MATTER = 4
const SEARCHES = 'email.search'

const E = '(?![\\p{L}\\p{N}])'
const WRITES =
  'e-?mail(?:ed)?|mail(?:ed)?|write|written|wrote|reply|replied|answer(?:ed)?|respond(?:ed)?|(?:get|got|gotten|come|came) back|sent|send'
const WRITTEN =
  'geschrieben|geantwortet|gemeldet|geschickt|gesendet|gemailt|reagiert|zurückgeschrieben|zurückgemeldet'
const BEGINS =
  '^(?:(?:hey|hi|hello|morning|good morning|moin|hallo|ok|okay|so|and|und|na|servus|[^.?!]{0,30}know (?:if|whether)|[^.?!]{0,30}wissen,? ob|(?:please |can you |could you |kannst du )?(?:check|see|look|schau|guck)(?: mal| bitte)? (?:if|whether|ob))[ ,.!]+)*'
const ENGLISH = new RegExp(
  `${BEGINS}(?:(?:did|has|have|had) )?(?<who>\\S+(?: \\S+){0,${MOST_NAME + 1}}?) (?:(?:has|have|ever|already|actually|finally) )*(?:${WRITES})${E}(?<rest>.*)$`,
  'isu',
)
/** Only a question, or what is to be checked. */
const ASKED = /^(?:.*(?:did|has|have|had) |.*(?:if|whether) )/iu
const GERMAN = new RegExp(
  `${BEGINS}(?:hat|haben|hatte) (?:(?:sich|mir|uns|eigentlich|schon|denn) )*(?<who>\\S+(?: \\S+)*?)(?<rest>(?: (?:sich|mir|uns|was|etwas|schon|eigentlich|denn|noch|nochmal|endlich|heute|gestern|auf|wegen|zu|zum|zur|über|bezüglich|aus|von|vom|bei|beim|die|den|das|der|meine\\p{L}*|seit)${E}.*?)?) (?:${WRITTEN})[\\s?!.]*$`,
  'isu',
)
/** Stand before a name and belong to none. */
const LEADS = /^(?:(?:the|my|our|that|der|die|das|den|dem|mein\p{L}*|unser\p{L}*|frau|herr|sich|mir) )+/iu
/** Somebody who is not named, or the owner. */
const NOBODY =
  /(?<!\p{L})(?:i|we|you|he|she|they|it|who|anyone|anybody|someone|somebody|everyone|nobody|any|one|them|ich|wir|du|sie|er|es|ihr|jemand|irgend\p{L}*|wer|alle|niemand|what|when|where|how|why|which|was|wann|wo|wie|email|mail|in|on|at|to|for|about|and|or|und|oder|not|nicht)(?!\p{L})/iu
/** Words of writing itself. */
const OF_WRITING =
  /^(?:back|me|us|my|mir|uns|email|emails|mail|mails|e-mail|message|nachricht|letter|brief|reply|answer|antwort|people|yet|already|again|schon|noch|was|etwas|anything|something|any|word|new|neu\p{L}*|by|per|over|today|heute|finally|endlich|please|bitte|sent|send|schicken|confirmed?)$/iu
/** It is done only then, or something is done with it. */
const THEN =
  /^(?:if|when|wenn|falls)(?!\p{L})|(?<!\p{L})(?:if so|if not|if they|and if|falls|wenn|then|dann)(?!\p{L})/iu

export interface Written {
  readonly who: string
  /** What it is about, as typed, or empty. */
  readonly matter: string
}

/** Null for a message that asks nothing of the kind. */
export function writtenIn(text: string, moment: Moment): Written | null {
  const said = text.trim()
  if (said.length > LONGEST || asksChange(said) || saysSecond(said) || namesCalendar(said) || THEN.test(said))
    return null
  const { rest: plain } = readDates(said, moment)
  const found = GERMAN.exec(plain)?.groups ?? (ASKED.test(plain) ? ENGLISH.exec(plain)?.groups : undefined)
  const who = (found?.['who'] ?? '')
    .trim()
    .replace(LEADS, '')
    .replace(/['’]s$|,$/u, '')
  if (
    who === '' ||
    who.split(' ').length > MOST_NAME ||
    NOBODY.test(who) ||
    /[?.!;:]/.test(who.replace(/\.(?= |$)/g, ''))
  )
    return null
  const words = namedWords(found?.['rest'] ?? '').filter((one) => !OF_WRITING.test(one))
  return words.length > MOST_MATTER ? null : { who, matter: words.join(' ') }
}

/** The search that answers it; null for anything else, or what is hardly of mail. */
export function writtenPlan(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const moment = momentOf(parts)
  const written = offered.has(SEARCHES) ? writtenIn(parts.request, moment) : null
  if (written === null || !isOfMail(parts.request, moment)) return null
  const { span } = readDates(parts.request, moment)
  const { who, matter } = written
  const args: Record<string, Json> = {
    from: who,
    ...(matter !== '' && { words: matter }),
    // A day that is to come is one of what they write about.
    ...(span !== null && span.from <= moment.now && { since: moment.zone.iso(span.from) }),
  }
  return steps(call('s1', SEARCHES, args))
}

function isOfMail(text: string, moment: Moment): boolean {
  const share = likelyOf(text, moment).reduce(
    (sum, { label, score }) => sum + (/^(?:else:)?email\.(?:list|search|read)$/.test(label) ? score : 0),
    0,
  )
  return share >= LEAST
}
