/**
 * Converts Fireflies' answers to the declared fields. Speech, speakers, titles and summaries are text; addresses, dates and
 * minutes are validated, and omitted if invalid. Pure. Called by look.ts.
 */
import { cleanLine, cleanText, toDate, toInstant, toLink } from '../../extractors/page-clean.ts'
import { actionsIn, topicsIn } from '../../extractors/transcript.ts'
import { fieldOf, isAddress, type JsonRecord, nextPart, recordOf, recordsOf, stringOf } from '../reading.ts'
import { FIREFLIES_TEXT, MAX_PEOPLE } from './manifest.ts'

const ID = /^[A-Za-z0-9_-]{6,64}$/
/** Maximum plausible length of a meeting, minutes: a week. */
const MAX_MINUTES = 10_080
/** Maximum number of sentences that are read; a day of talk has fewer. */
const MAX_SENTENCES = 20_000

/** The speaker's name before each turn. */
const SPEAKER = /^[^:\n]{1,100}: /gm

/** Whether the text is an id rather than a typed title: it has digits, or capitals within it. */
export function looksLikeId(text: string): boolean {
  return ID.test(text) && /\d|[a-z][A-Z]/.test(text)
}

export function idOf(row: JsonRecord): string | null {
  const id = stringOf(row, 'id')
  return ID.test(id) ? id : null
}

export function shapeMeetings(rows: readonly JsonRecord[], max: number): readonly object[] {
  return rows.flatMap((row) => shapeMeeting(row) ?? []).slice(0, max)
}

/** Null for a row without a Fireflies id. */
export function shapeMeeting(row: JsonRecord): object | null {
  const id = idOf(row)
  if (id === null) return null
  const date = dateOf(fieldOf(row, 'date'))
  const minutes = fieldOf(row, 'duration')
  const organizer = stringOf(row, 'organizer_email')
  const link = toLink(stringOf(row, 'transcript_url'))
  return {
    id,
    title: cleanLine(stringOf(row, 'title'), FIREFLIES_TEXT.title),
    ...(date !== null && { date }),
    ...(typeof minutes === 'number' &&
      minutes >= 0 &&
      minutes <= MAX_MINUTES && { minutes: Math.round(minutes) }),
    ...(isAddress(organizer) && { organizer }),
    participants: peopleOf(fieldOf(row, 'participants')),
    ...(link !== null && { link }),
  }
}

/** Epoch milliseconds, as a number or as text, or an ISO instant. */
function dateOf(value: unknown): string | null {
  if (typeof value === 'number') return toInstant(value)
  if (typeof value !== 'string') return null
  return /^\d{12,13}$/.test(value) ? toInstant(Number(value)) : toDate(value)
}

/** Some rows have all addresses in one text. */
function peopleOf(value: unknown): readonly string[] {
  const texts = (Array.isArray(value) ? value : []).filter((one): one is string => typeof one === 'string')
  const people = texts.flatMap((text) => text.split(/[,;\s]+/)).filter(isAddress)
  return [...new Set(people.map((one) => one.toLowerCase()))].slice(0, MAX_PEOPLE)
}

/** With this part of the transcript, one line per turn of a speaker. Null: as above. */
export function shapeTranscript(row: JsonRecord, part = 1): object | null {
  const meeting = shapeMeeting(row)
  if (meeting === null) return null
  const summary = recordOf(row, 'summary')
  const overview = cleanText(wordsOf(summary, 'overview'), FIREFLIES_TEXT.summary)
  const actions = cleanText(wordsOf(summary, 'action_items'), FIREFLIES_TEXT.summary)
  const sentences = recordsOf(row, 'sentences')
  const said = turnsOf(sentences.slice(0, MAX_SENTENCES))
  const own = said.slice((part - 1) * FIREFLIES_TEXT.body)
  const rest = own.length > FIREFLIES_TEXT.body
  return {
    ...meeting,
    speakers: speakersOf(row),
    ...(overview !== '' && { overview }),
    ...(actions !== '' && { actions }),
    topics: [...topicsIn(said)],
    // Fireflies' own list has one line for each.
    agreed: [...actionsIn(`${actions}\n${said.replace(SPEAKER, '')}`)],
    body: cleanText(own, FIREFLIES_TEXT.body),
    truncated: rest || sentences.length > MAX_SENTENCES,
    ...(part > 1 && { part }),
    ...nextPart(part, rest),
  }
}

/** A text, or a list of texts as in older answers. */
function wordsOf(record: JsonRecord, key: string): string {
  const value = fieldOf(record, key)
  const texts = Array.isArray(value) ? value : [value]
  return texts.filter((one): one is string => typeof one === 'string').join('\n')
}

function speakersOf(row: JsonRecord): readonly string[] {
  const names = recordsOf(row, 'speakers').map((one) => cleanLine(stringOf(one, 'name'), FIREFLIES_TEXT.name))
  return [...new Set(names.filter((name) => name !== ''))].slice(0, MAX_PEOPLE)
}

function turnsOf(sentences: readonly JsonRecord[]): string {
  const lines: string[] = []
  let before: string | null = null
  for (const sentence of sentences) {
    const text = cleanLine(stringOf(sentence, 'text'), FIREFLIES_TEXT.summary)
    if (text === '') continue
    const who = cleanLine(stringOf(sentence, 'speaker_name'), FIREFLIES_TEXT.name)
    if (who === before && lines.length > 0) lines[lines.length - 1] += ` ${text}`
    else lines.push(who === '' ? text : `${who}: ${text}`)
    before = who
  }
  return lines.join('\n')
}
