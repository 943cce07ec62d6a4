/**
 * Cost of the tunnel compared with an echo through a bare hibernating Durable Object, in one run and process: a heartbeat and a
 * frame without a write against the bare echo, the smallest reliable body against an echo with one write. Also bodies per
 * second, and the recovery time of a lost connection. Called by bench/main.ts.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import WebSocket from 'ws'
import type { Body } from '../kernel/tunnel/body.ts'
import { PING, parsePong } from '../kernel/tunnel/channel.ts'
import { encodeFrame, type Frame, PROTOCOL_VERSION, parseFrame } from '../kernel/tunnel/frame.ts'
import type { DeviceKey } from '../sidecar/tunnel/device-key.ts'
import { signRequest } from '../sidecar/tunnel/edge-call.ts'
import { edgeKeys } from './edge.ts'
import { atMost, type Figure, percentile } from './figures.ts'
import { bundle, startTogether, type WorkerSource } from './runtime.ts'

const FLOOR: WorkerSource = { config: 'bench/worker/echo.toml', entry: 'bench/worker/echo.ts' }
const EDGE: WorkerSource = { config: 'wrangler.toml', entry: 'worker/index.ts' }

/** Uncounted warm-up turns: a home stays connected for days, so warm code is measured. */
const WARM_UP = 500
/** Rounds. In each, all subjects have their turns, so that other load on the machine affects all alike. */
const ROUNDS = 20
const TURNS = 50
const IN_FLIGHT = 50
const STREAMED = 5_000
const LOSSES = 30
/** Pseudo-number of a heartbeat's answer, which has none. */
const BEAT = 0
/** An answer without a request: received, counted and acknowledged, with no effect. */
const BODY: Body = {
  type: 'home_answer',
  answer: { id: 'nobody', task: 't', step: 0, ok: false, reason: 'tool_failed' },
}

/** One end of a connection. Requests are answered in order. */
interface Line {
  /** Sends frame `seq`; resolves when its answer has come. */
  ask(seq: number): Promise<void>
  /** Sends `ping`; resolves with its answer. */
  beat(): Promise<void>
  /** Drops the connection without closing it, like a lost network. */
  cut(): void
}

interface Counted extends Line {
  /** `ask` with the next number. */
  next(): Promise<void>
  /** `ask` with the previous number again. */
  again(): Promise<void>
}

export async function measureTunnel(): Promise<readonly Figure[]> {
  const key = newDevice()
  const made = await Promise.all([bundle(FLOOR), bundle(EDGE)])
  const devices = JSON.stringify([{ id: key.id, publicKey: key.publicKey }])
  const { origins, stop } = await startTogether([
    { source: FLOOR, made: made[0], bindings: {} },
    { source: EDGE, made: made[1], bindings: edgeKeys([], devices) },
  ])
  const [floor = '', edge = ''] = origins
  try {
    const lines = {
      bare: await openEcho(floor),
      stored: await openEcho(`${floor}/stored`),
      own: await openTunnel(edge, key, 0),
    }
    const times = await sideBySide(lines)
    const rates = {
      bare: await rateOf(lines.bare),
      stored: await rateOf(lines.stored),
      own: await rateOf(lines.own),
    }
    for (const line of Object.values(lines)) line.cut()
    const echoBack = await comeBack(() => openEcho(`${floor}/stored`))
    const tunnelBack = await comeBack((seq) => openTunnel(edge, key, seq))
    return figures({ times, rates, echoBack, tunnelBack })
  } finally {
    await stop()
    for (const one of made) one.remove()
  }
}

/** Milliseconds of every counted turn. */
interface Times {
  readonly bare: readonly number[]
  readonly stored: readonly number[]
  readonly beat: readonly number[]
  readonly unstored: readonly number[]
  readonly own: readonly number[]
}

interface Results {
  readonly times: Times
  /** Frames per second. */
  readonly rates: { readonly bare: number; readonly stored: number; readonly own: number }
  /** Milliseconds, median. */
  readonly echoBack: number
  readonly tunnelBack: number
}

function figures({ times, rates, echoBack, tunnelBack }: Results): readonly Figure[] {
  const p50 = (of: keyof Times): number => percentile(times[of], 0.5)
  const p99 = (of: keyof Times): number => percentile(times[of], 0.99)
  const beats = p50('beat') / p50('bare')
  const bodies = p50('own') / p50('stored')
  const frames = p50('unstored') / p50('bare')
  return [
    { name: 'echo, p50', value: p50('bare'), unit: 'ms' },
    { name: 'tunnel, a beat, p50', value: p50('beat'), unit: 'ms' },
    { name: 'beat / echo', value: beats, unit: '×', bound: atMost(beats, 1.5, '≤ 1.5') },
    { name: 'tunnel, a frame that writes nothing, p50', value: p50('unstored'), unit: 'ms' },
    { name: 'frame / echo', value: frames, unit: '×', bound: atMost(frames, 1.5, '≤ 1.5') },
    { name: 'echo with one write, p50', value: p50('stored'), unit: 'ms' },
    { name: 'echo with one write, p99', value: p99('stored'), unit: 'ms' },
    { name: 'tunnel, a body and its acknowledgement, p50', value: p50('own'), unit: 'ms' },
    { name: 'tunnel, a body and its acknowledgement, p99', value: p99('own'), unit: 'ms' },
    { name: 'body / echo with one write', value: bodies, unit: '×', bound: atMost(bodies, 1.5, '≤ 1.5') },
    { name: 'body / echo', value: p50('own') / p50('bare'), unit: '×' },
    { name: `echo, ${IN_FLIGHT} in flight`, value: rates.bare, unit: 'frames/s' },
    { name: `echo with one write, ${IN_FLIGHT} in flight`, value: rates.stored, unit: 'frames/s' },
    { name: `tunnel, ${IN_FLIGHT} in flight`, value: rates.own, unit: 'frames/s' },
    { name: 'echo with one write, from loss to service, p50', value: echoBack, unit: 'ms' },
    { name: 'tunnel, from loss to service, without home’s pause, p50', value: tunnelBack, unit: 'ms' },
  ]
}

/** Alternates the subjects within each round. */
async function sideBySide(lines: {
  readonly bare: Counted
  readonly stored: Counted
  readonly own: Counted
}): Promise<Times> {
  const { bare, stored, own } = lines
  const turns = {
    bare: () => bare.next(),
    stored: () => stored.next(),
    beat: () => own.beat(),
    own: () => own.next(),
    // A body that the edge already has: parsed, looked up and acknowledged like any, without a write.
    unstored: () => own.again(),
  }
  for (const turn of Object.values(turns)) await timed(turn, WARM_UP)
  const times: Record<keyof Times, number[]> = { bare: [], stored: [], beat: [], unstored: [], own: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of Object.keys(turns) as (keyof Times)[])
      times[name].push(...(await timed(turns[name], TURNS)))
  }
  return times
}

/** Milliseconds of each sequential turn. */
async function timed(turn: () => Promise<void>, turns: number): Promise<readonly number[]> {
  const samples: number[] = []
  for (let n = 0; n < turns; n += 1) {
    const begun = performance.now()
    await turn()
    samples.push(performance.now() - begun)
  }
  return samples
}

/** Frames per second with as many in flight as a busy home has. */
async function rateOf(line: Counted): Promise<number> {
  const begun = performance.now()
  let sent = 0
  const keep = async (): Promise<void> => {
    while (sent < STREAMED) {
      sent += 1
      await line.next()
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, keep))
  return (STREAMED * 1_000) / (performance.now() - begun)
}

/** Milliseconds from losing a connection until the first answer over the next one. */
async function comeBack(open: (seq: number) => Promise<Line>): Promise<number> {
  const samples: number[] = []
  let line = await open(0)
  for (let seq = 1; seq <= LOSSES; seq += 1) {
    await line.ask(2 * seq - 1)
    const begun = performance.now()
    line.cut()
    line = await open(2 * seq - 1)
    await line.ask(2 * seq)
    samples.push(performance.now() - begun)
    line.cut()
    line = await open(2 * seq)
  }
  line.cut()
  return percentile(samples, 0.5)
}

async function openEcho(origin: string): Promise<Counted> {
  const socket = new WebSocket(origin.replace(/^http/, 'ws'), { perMessageDeflate: false })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const line = createLine(socket, 0)
  socket.on('message', (data) => line.answered(seqOf(String(data))))
  return line
}

/**
 * Connects like home, with both hellos. The proof is not checked, since nothing depends on it here. `sent`: highest number
 * used.
 */
async function openTunnel(origin: string, key: DeviceKey, sent: number): Promise<Counted> {
  const url = `${origin}/tunnel`
  const headers = signRequest(key, { method: 'GET', url, body: null, now: Date.now() })
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers, perMessageDeflate: false })
  const line = createLine(socket, sent)
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('message', (data) => {
      if (parsePong(String(data)) !== null) return line.answered(BEAT)
      const frame = parseFrame(String(data))
      if (!frame.ok || frame.value.kind === 'refused') throw new Error(`refused: ${String(data)}`)
      if (frame.value.kind === 'hello') resolve()
      if (frame.value.kind === 'ack') line.answered(frame.value.seq)
    })
  })
  const counts = { received: 0, base: sent, last: sent }
  socket.send(encodeFrame({ kind: 'hello', version: PROTOCOL_VERSION, epoch: 1, ...counts, proof: null }))
  return line
}

/** `sent`: highest number used before. */
function createLine(socket: WebSocket, sent: number): Counted & { answered(seq: number): void } {
  const waiting = new Map<number, () => void>()
  const ask = (seq: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(seq, resolve)
      socket.send(encodeFrame({ kind: 'data', seq, body: BODY } satisfies Frame))
    })
  let last = sent
  return {
    ask,
    next() {
      last += 1
      return ask(last)
    },
    again: () => ask(last),
    answered(seq) {
      waiting.get(seq)?.()
      waiting.delete(seq)
    },
    beat: () =>
      new Promise((resolve) => {
        waiting.set(BEAT, resolve)
        socket.send(PING)
      }),
    cut: () => socket.terminate(),
  }
}

function seqOf(text: string): number {
  const frame = parseFrame(text)
  return frame.ok && frame.value.kind === 'data' ? frame.value.seq : 0
}

function newDevice(): DeviceKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = String(publicKey.export({ format: 'jwk' }).x)
  const id = createHash('sha256').update(Buffer.from(raw, 'base64url')).digest('hex').slice(0, 32)
  return { id, publicKey: raw, sign: (data) => new Uint8Array(sign(null, data, privateKey)) }
}
