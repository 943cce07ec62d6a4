/**
 * Google's contacts by its People API (developers.google.com/people/api/rest/v1/people.connections/list): names and addresses of the owner's own
 * contacts, in pages. Must not ask for more fields. Called by run.ts.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'
import { type BookCard, peopleIn } from './shape.ts'

/** Google's maximum for one page. */
const PAGE = 1_000
/** Maximum number of pages of one read: more people than are ever suggested. */
const MOST_PAGES = 5
const TOKEN = /^[\x21-\x7e]{1,2000}$/

export async function listGoogle(call: ToolCall, base: string): Promise<ToolOutcome> {
  const cards: BookCard[] = []
  let token: string | null = null
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const url = new URL('/v1/people/me/connections', base)
    url.searchParams.set('personFields', 'names,emailAddresses')
    url.searchParams.set('pageSize', String(PAGE))
    url.searchParams.set('sortOrder', 'FIRST_NAME_ASCENDING')
    if (token !== null) url.searchParams.set('pageToken', token)
    const answer = await callJson(call, { method: 'GET', url: url.href })
    if (!answer.ok) return answer
    cards.push(...recordsOf(answer.value, 'connections').map(cardOf))
    const next = stringOf(answer.value, 'nextPageToken')
    token = TOKEN.test(next) ? next : null
    if (token === null) break
  }
  const { who } = call.args
  const { people, more } = peopleIn(cards, typeof who === 'string' ? who : '')
  return { ok: true, output: { people, count: people.length, more: more || token !== null } }
}

/** Values that Google marks as primary come first. */
function cardOf(person: JsonRecord): BookCard {
  return {
    names: inOrder(person, 'names').map((one) => stringOf(one, 'displayName')),
    emails: inOrder(person, 'emailAddresses').map((one) => stringOf(one, 'value')),
  }
}

function inOrder(person: JsonRecord, field: string): readonly JsonRecord[] {
  const isPrimary = (one: JsonRecord): boolean => {
    const metadata = recordOf(one, 'metadata')
    return isPlainRecord(metadata) && metadata['primary'] === true
  }
  const all = recordsOf(person, field)
  return [...all.filter(isPrimary), ...all.filter((one) => !isPrimary(one))]
}
