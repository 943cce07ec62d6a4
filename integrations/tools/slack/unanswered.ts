/**
 * What the owner has not answered at Slack: direct messages, those of small groups, and mentions in channels, of the last days. An answer is a later message of
 * the owner's there, one in its thread, or a reaction. Says where it could not look. Must not write. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, nextPart, partIn, recordsOf, stringOf } from '../reading.ts'
import { type Api, askRows, type Rows } from './api.ts'
import { placeFields } from './look.ts'
import { DEFAULT_DAYS, MAX_CONVERSATIONS, MAX_DAYS, MAX_MESSAGES } from './manifest.ts'
import { namesFor, ownerOf } from './people.ts'
import {
  isByProgram,
  isSpoken,
  KIND_ORDER,
  PERSON_ID,
  type Place,
  peopleIn,
  placeOf,
  shapeMessage,
  stampAt,
  stampOf,
} from './shape.ts'

/** Milliseconds. */
const DAY = 86_400_000
/** Rows of a page, and pages: a person in more conversations than that is told that not all were looked into. */
const PAGE_ROWS = 200
const MAX_PAGES = 5
/** Messages of one conversation; the newest ones. */
const HISTORY = 100

interface Waiting {
  readonly place: Place
  readonly row: JsonRecord
  readonly count: number
}

export async function listUnanswered(api: Api, call: ToolCall): Promise<ToolOutcome> {
  const owner = await ownerOf(api)
  if (!owner.ok) return owner
  const places = await placesOf(api)
  if (!places.ok) return places
  const since = stampAt(call.capability.claims.issuedAt - daysIn(call.args['days']) * DAY)
  const found = await waitingIn(api, places.value.places, { me: owner.value.id, since })
  if (!found.ok) return found
  const { waiting, partial } = found.value
  const part = partIn(call.args['part'])
  const before = (part - 1) * MAX_MESSAGES
  const shown = waiting.toSorted(newestFirst).slice(before, before + MAX_MESSAGES)
  const more = waiting.length > before + shown.length
  const names = await namesFor(api, peopleIn(shown.map(({ row }) => row)))
  return {
    ok: true,
    output: {
      waiting: shown.map(({ place, row, count }) => ({
        ...placeFields(place),
        ...shapeMessage(row, { place: place.id, names, site: owner.value.site }),
        count,
      })),
      more,
      ...nextPart(part, more),
      partial: partial || places.value.more,
    },
  }
}

/** Those of two first, then small groups, then channels; among them those in which something happened last. */
async function placesOf(
  api: Api,
): Promise<Result<{ readonly places: readonly Place[]; readonly more: boolean }>> {
  const query = {
    types: 'im,mpim,private_channel,public_channel',
    exclude_archived: 'true',
    limit: PAGE_ROWS,
  }
  const found = await askRows(api, 'users.conversations', { list: 'channels', pages: MAX_PAGES, query })
  if (!found.ok) return found
  const all = found.value.rows.flatMap((row) => {
    const place = placeOf(row)
    return place === null || place.user === 'USLACKBOT' ? [] : [{ place, updated: updatedOf(row) }]
  })
  const ordered = all.toSorted(
    (a, b) => KIND_ORDER[a.place.kind] - KIND_ORDER[b.place.kind] || b.updated - a.updated,
  )
  return ok({
    places: ordered.slice(0, MAX_CONVERSATIONS).map(({ place }) => place),
    more: found.value.more || ordered.length > MAX_CONVERSATIONS,
  })
}

/** One conversation that cannot be read does not take the others with it; a token that is no good, or no place that can be read, does. */
async function waitingIn(
  api: Api,
  places: readonly Place[],
  { me, since }: { readonly me: string; readonly since: string },
): Promise<Result<{ readonly waiting: readonly Waiting[]; readonly partial: boolean }>> {
  const waiting: Waiting[] = []
  let read = 0
  for (const place of places) {
    const query = { channel: place.id, oldest: since, limit: HISTORY }
    const found: Result<Rows> = await askRows(api, 'conversations.history', {
      ...{ list: 'messages', pages: 1, query },
    })
    if (found.ok) {
      read += 1
      waiting.push(...unansweredOf(place, found.value.rows, me))
      continue
    }
    const { code } = found.reason
    if (code === 'remote_unauthorized' || (read === 0 && !isOfPlace(code))) return found
    if (!isOfPlace(code)) return ok({ waiting, partial: true })
  }
  if (read === 0 && places.length > 0) return err('remote_rejected')
  return ok({ waiting, partial: read < places.length })
}

/** A refusal of this conversation alone. */
function isOfPlace(code: string): boolean {
  return code === 'remote_rejected' || code === 'remote_not_found'
}

/** `rows`: newest first. */
function unansweredOf(place: Place, rows: readonly JsonRecord[], me: string): readonly Waiting[] {
  const spoken = rows.filter(isSpoken)
  const last = spoken.findIndex((row) => isAnswered(row, me))
  const open = (last < 0 ? spoken : spoken.slice(0, last)).filter((row) => !isByProgram(row))
  if (place.kind === 'direct' || place.kind === 'group') {
    const [row] = open
    return row === undefined ? [] : [{ place, row, count: open.length }]
  }
  // Others' talk in a channel goes on: one answer there is to all that came before it.
  return open.filter((row) => mentions(row, me)).map((row) => ({ place, row, count: 1 }))
}

function isAnswered(row: JsonRecord, me: string): boolean {
  if (stringOf(row, 'user') === me || listed(row, 'reply_users').includes(me)) return true
  return recordsOf(row, 'reactions').some((reaction) => listed(reaction, 'users').includes(me))
}

function mentions(row: JsonRecord, me: string): boolean {
  return PERSON_ID.test(me) && new RegExp(`<@${me}(?:\\|[^<>]{0,100})?>`).test(stringOf(row, 'text'))
}

function listed(row: JsonRecord, key: string): readonly unknown[] {
  const value = fieldOf(row, key)
  return Array.isArray(value) ? value : []
}

function updatedOf(row: JsonRecord): number {
  const at = fieldOf(row, 'updated')
  return typeof at === 'number' && Number.isFinite(at) ? at : 0
}

function newestFirst(a: Waiting, b: Waiting): number {
  return Number(stampOf(b.row)) - Number(stampOf(a.row))
}

function daysIn(days: unknown): number {
  return typeof days === 'number' && days >= 1 ? Math.min(Math.floor(days), MAX_DAYS) : DEFAULT_DAYS
}
