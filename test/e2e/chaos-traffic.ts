/**
 * What the people of the chaos test say, when, and what they got for it: strangers in a chat of the edge, and the owner
 * on both lines, who approves or refuses each card. A message is sent under one id until somebody took it. Must
 * not expect anything. Called by chaos-storm.ts.
 */
import { decideOn } from '../../sidecar/cli/chat/cards.ts'
import type { LineDelivery, Link } from '../../sidecar/cli/line/link.ts'
import type { Line } from './chaos-bench.ts'
import type { Random } from './chaos-random.ts'

/** Milliseconds between two tries to reach what is down. */
const AGAIN = 150

export interface Said {
  readonly task: string
  /** Null for what only asks. */
  readonly writes: string | null
  /** On the open line: only home knows the answer. */
  readonly asksHome: boolean
}

/** When to say it (milliseconds after the start) and what. */
export interface Script {
  readonly at: number
  readonly text: string
  readonly writes: string | null
}

/** `count` moments in `span`, in order. */
export function moments(random: Random, count: number, span: number): readonly number[] {
  return Array.from({ length: count }, () => random.between(0, span)).sort((a, b) => a - b)
}

const SPOKEN_OPEN = [
  'when am I free on Friday?',
  'hello',
  'when am I free tomorrow?',
  'remember that the gate is green',
]
const SPOKEN_PRIVATE = [
  'check my email',
  'what is on my calendar tomorrow',
  'hello',
  'remember that the boat is blue',
]

export function openScript(random: Random, count: number, span: number): readonly Script[] {
  return moments(random, count, span).map((at, n) => ({
    ...{ at, writes: null },
    text: SPOKEN_OPEN[n % SPOKEN_OPEN.length] ?? 'hello',
  }))
}

/** Every fourth is a booking, of a title of its own. */
export function privateScript(random: Random, count: number, span: number): readonly Script[] {
  return moments(random, count, span).map((at, n) => {
    if (n % 4 !== 0) return { at, text: SPOKEN_PRIVATE[n % SPOKEN_PRIVATE.length] ?? 'hello', writes: null }
    const title = `Appointment ${n}`
    return { at, text: `book "${title}" tomorrow from 15:00 to 16:00`, writes: title }
  })
}

export interface Speaker {
  readonly said: readonly Said[]
  /** Resolves when everything was taken. */
  readonly done: Promise<void>
}

/** Says one thing after another, each at its time or as soon as the one before was taken. */
export function speak(
  script: readonly Script[],
  send: (id: string, text: string) => Promise<string | null>,
): Speaker {
  const said: Said[] = []
  const begun = Date.now()
  const all = async (): Promise<void> => {
    for (const { at, text, writes } of script) {
      await pause(begun + at - Date.now())
      const id = crypto.randomUUID()
      const asksHome = text.startsWith('when am I free')
      said.push({ task: await insist(() => send(id, text)), writes, asksHome })
    }
  }
  return { said, done: all() }
}

/** Null, or a failure, is tried again. */
async function insist(send: () => Promise<string | null>): Promise<string> {
  for (;;) {
    const task = await send().catch(() => null)
    if (task !== null) return task
    await pause(AGAIN)
  }
}

export function sendBy(line: Line): (id: string, text: string) => Promise<string | null> {
  return (id, text) =>
    line.link(async (link) => {
      const sent = await link.send({ id, text })
      return sent.ok ? sent.value.task : null
    })
}

/** As a stranger, through the Worker of test/fakes. */
export function sendAs(edge: string, user: string): (id: string, text: string) => Promise<string | null> {
  return async (id, text) => {
    const response = await fetch(`${edge}/fake/${user}`, {
      method: 'POST',
      body: JSON.stringify({ id, text }),
      signal: AbortSignal.timeout(10_000),
    })
    const received = (await response.json()) as { ok: boolean; value?: { task: string } }
    return received.ok ? (received.value?.task ?? null) : null
  }
}

export interface Reader {
  /** Every row that was shown, in the order in which it was. */
  readonly rows: readonly LineDelivery[]
  stop(): Promise<void>
}

/** Reads a line as a terminal does, and answers each question that comes by it. */
export function readLine(line: Line, decide: (row: LineDelivery) => 'approve' | 'deny'): Reader {
  const rows: LineDelivery[] = []
  let reading = true
  const look = async (link: Link): Promise<void> => {
    const found = await link.deliveries(rows.at(-1)?.seq ?? 0, 0)
    for (const row of found.ok ? found.value : []) {
      rows.push(row)
      if (row.approval !== null) void answer(row, row.approval)
    }
  }
  const answer = async (row: LineDelivery, approval: string): Promise<void> => {
    const decision = decide(row)
    // Decided before, where the first answer's receipt was lost.
    const isTaken = async (link: Link): Promise<boolean> => {
      const decided = await decideOn(link, approval, decision)
      return decided.ok || decided.reason.code.startsWith('approval_')
    }
    while (reading && !(await line.link(isTaken).catch(() => false))) await pause(AGAIN)
  }
  const all = async (): Promise<void> => {
    while (reading) {
      await line.link(look).catch(() => undefined)
      await pause(AGAIN)
    }
  }
  const done = all()
  return {
    rows,
    stop() {
      reading = false
      return done
    },
  }
}

export function pause(milliseconds: number): Promise<void> {
  return milliseconds <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, milliseconds))
}
