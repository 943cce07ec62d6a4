/**
 * The world outside of the chaos test, on loopback: a calendar and mailbox that count every write, a chat of strangers
 * that keeps what it was sent, and a model, all as slow and as unwilling as a seed decides. Holds no expectation.
 * Called by chaos-storm.ts.
 */
import { sendJson, serve } from '../kit/server.ts'
import type { Random } from './chaos-random.ts'

const EVENTS = '/calendar/v3/calendars/primary/events'
const MAILS = '/gmail/v1/users/me/messages'

/** Milliseconds: long enough that a kill falls into some writes. */
const SLOWEST_WRITE = 600
const SLOWEST_READ = 120
const SLOWEST_MODEL = 80
/** Of answers to the chat's deliveries, while it storms. */
const CHAT_BUSY = 0.02

/** What a stranger in the chat got: `id` is the delivery's, which is the same when it is sent again. */
export interface Told {
  readonly id: string
  readonly sink: string
  readonly kind: string
  readonly turn: number
  readonly text: string
}

export interface World {
  readonly origin: string
  /** How often an event of this title was written. */
  written(title: string): number
  /** Every write that arrived, by its title. */
  readonly writes: ReadonlyMap<string, number>
  /** In order of arrival, repetitions included. */
  readonly told: readonly Told[]
  /** Whether it refuses some deliveries. */
  storming: boolean
  close(): Promise<void>
}

export async function startWorld(random: Random): Promise<World> {
  const writes = new Map<string, number>()
  const events = new Map<string, object>()
  const told: Told[] = []
  const { origin, close } = await serve(async (request, response, body) => {
    const path = new URL(request.url ?? '/', 'http://world').pathname
    const json = (value: unknown, status = 200): void => sendJson(response, value, status)
    if (path === '/chat') {
      if (world.storming && random.next() < CHAT_BUSY) return json({}, 503)
      told.push(JSON.parse(body) as Told)
      return json({})
    }
    if (path === '/model') {
      await pause(random.between(0, SLOWEST_MODEL))
      return json({ text: `You said something of ${body.length} letters.` })
    }
    if (path === EVENTS && request.method === 'POST') {
      const event = { status: 'confirmed', ...(JSON.parse(body) as { id: string; summary: string }) }
      writes.set(event.summary, (writes.get(event.summary) ?? 0) + 1)
      events.set(event.id, event)
      await pause(random.between(0, SLOWEST_WRITE))
      return json(event)
    }
    await pause(random.between(0, SLOWEST_READ))
    if (path === EVENTS) return json({ items: [] })
    if (path === '/calendar/v3/users/me/calendarList')
      return json({ items: [{ id: 'me@example.com', primary: true, selected: true }] })
    if (path === '/calendar/v3/freeBusy') return json({ calendars: { primary: { busy: [] } } })
    if (path === MAILS) return json({ messages: [{ id: 'm1' }] })
    if (path === `${MAILS}/m1`) return json(MAIL)
    const found = events.get(path.slice(EVENTS.length + 1))
    return found === undefined ? json({}, 404) : json(found)
  })
  const world: World = {
    origin,
    close,
    written: (title) => writes.get(title) ?? 0,
    writes,
    told,
    storming: true,
  }
  return world
}

const MAIL = {
  id: 'm1',
  threadId: 'm1',
  labelIds: ['INBOX', 'UNREAD'],
  internalDate: '1795000000000',
  snippet: 'Shall we go?',
  payload: {
    mimeType: 'text/plain',
    headers: [
      { name: 'From', value: 'Tom Baker <tom@friends.example>' },
      { name: 'Subject', value: 'Boat trip' },
    ],
    body: { data: Buffer.from('Shall we go?').toString('base64url') },
  },
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
