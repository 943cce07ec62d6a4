/**
 * What the tunnel costs beside an echo through a bare hibernating Durable Object, in one run. Like beside like: a beat and
 * a frame that writes nothing beside the bare echo, the smallest body that must arrive beside an echo with one write. Then bodies per second, and
 * how soon a lost connection serves again. Called by bench/main.ts.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import WebSocket from 'ws'
import { PING, parsePong } from '../kernel/tunnel/beat.ts'
import type { Body } from '../kernel/tunnel/body.ts'
import { encodeFrame, type Frame, PROTOCOL_VERSION, parseFrame } from '../kernel/tunnel/frame.ts'
import type { DeviceKey } from '../sidecar/device-key.ts'
import { signRequest } from '../sidecar/request-signature.ts'
import { edgeKeys } from './edge.ts'
import { atMost, type Figure, percentile } from './figures.ts'
import { bundle, start, type WorkerSource } from './runtime.ts'

const FLOOR: WorkerSource = { config: 'bench/worker/echo.toml', entry: 'bench/worker/echo.ts' }
const EDGE: WorkerSource = { config: 'wrangler.toml', entry: 'worker/index.ts' }

const WARM_UP = 200
const SEQUENTIAL = 1_000
const IN_FLIGHT = 50
const STREAMED = 5_000
const LOSSES = 30
/** Stands for the answer to a beat, which has no number. */
const BEAT = 0
/** An answer that nobody asked for: taken, counted and acknowledged, with no effect. */
const BODY: Body = {
  type: 'home_answer',
  answer: { id: 'nobody', task: 't', step: 0, ok: false, reason: 'tool_failed' },
}

/** One end of a connection: what is said is answered, in order. */
interface Line {
  /** Sends frame `seq`; resolves when its answer has come. */
  ask(seq: number): Promise<void>
  /** Says `ping`; resolves when it was answered. */
  beat(): Promise<void>
  /** Cuts the connection without a word, as a lost network does. */
  cut(): void
}

export async function measureTunnel(): Promise<readonly Figure[]> {
  const key = newDevice()
  const made = await Promise.all([bundle(FLOOR), bundle(EDGE)])
  const [floorBundle, edgeBundle] = made
  const floor = await start(FLOOR, floorBundle, {})
  const devices = JSON.stringify([{ id: key.id, publicKey: key.publicKey }])
  const edge = await start(EDGE, edgeBundle, edgeKeys([], devices))
  try {
    const beat = await medianOf(await openTunnel(edge.origin, key, 0), (line) => line.beat())
    // A body that the edge has already: parsed, looked up and acknowledged like any, and nothing is written.
    const unstored = await medianOf(await openTunnel(edge.origin, key, 1), (line) => line.ask(1))
    const bare = await measure(await openEcho(floor.origin))
    const stored = await measure(await openEcho(`${floor.origin}/stored`))
    const own = await measure(await openTunnel(edge.origin, key, 0))
    const echoBack = await comeBack(() => openEcho(`${floor.origin}/stored`))
    const tunnelBack = await comeBack((seq) => openTunnel(edge.origin, key, seq))
    return figures({ beat, unstored, bare, stored, own, echoBack, tunnelBack })
  } finally {
    await Promise.all([floor.stop(), edge.stop()])
    for (const one of made) one.remove()
  }
}

interface Measured {
  readonly p50: number
  readonly p99: number
  readonly rate: number
}

interface Results {
  /** Milliseconds, median. */
  readonly beat: number
  readonly unstored: number
  readonly bare: Measured
  readonly stored: Measured
  readonly own: Measured
  /** Milliseconds, median. */
  readonly echoBack: number
  readonly tunnelBack: number
}

function figures({ beat, unstored, bare, stored, own, echoBack, tunnelBack }: Results): readonly Figure[] {
  const beats = beat / bare.p50
  const bodies = own.p50 / stored.p50
  const frames = unstored / bare.p50
  return [
    { name: 'echo, p50', value: bare.p50, unit: 'ms' },
    { name: 'tunnel, a beat, p50', value: beat, unit: 'ms' },
    { name: 'beat / echo', value: beats, unit: '×', bound: atMost(beats, 1.5, '≤ 1.5') },
    { name: 'tunnel, a frame that writes nothing, p50', value: unstored, unit: 'ms' },
    { name: 'frame / echo', value: frames, unit: '×', bound: atMost(frames, 1.5, '≤ 1.5') },
    { name: 'echo with one write, p50', value: stored.p50, unit: 'ms' },
    { name: 'echo with one write, p99', value: stored.p99, unit: 'ms' },
    { name: 'tunnel, a body and its acknowledgement, p50', value: own.p50, unit: 'ms' },
    { name: 'tunnel, a body and its acknowledgement, p99', value: own.p99, unit: 'ms' },
    { name: 'body / echo with one write', value: bodies, unit: '×', bound: atMost(bodies, 1.5, '≤ 1.5') },
    { name: 'body / echo', value: own.p50 / bare.p50, unit: '×' },
    { name: `echo, ${IN_FLIGHT} in flight`, value: bare.rate, unit: 'frames/s' },
    { name: `echo with one write, ${IN_FLIGHT} in flight`, value: stored.rate, unit: 'frames/s' },
    { name: `tunnel, ${IN_FLIGHT} in flight`, value: own.rate, unit: 'frames/s' },
    { name: 'echo with one write, from loss to service, p50', value: echoBack, unit: 'ms' },
    { name: 'tunnel, from loss to service, without home’s pause, p50', value: tunnelBack, unit: 'ms' },
  ]
}

/** Milliseconds, median. */
async function medianOf(line: Line, turn: (line: Line) => Promise<void>): Promise<number> {
  const samples = await sample(() => turn(line))
  line.cut()
  return percentile(samples, 0.5)
}

/** Milliseconds of each turn, one after another, after as many as warm up. */
async function sample(turn: () => Promise<void>): Promise<readonly number[]> {
  const samples: number[] = []
  for (let n = -WARM_UP; n < SEQUENTIAL; n += 1) {
    const begun = performance.now()
    await turn()
    if (n >= 0) samples.push(performance.now() - begun)
  }
  return samples
}

async function measure(line: Line): Promise<Measured> {
  let seq = 0
  const next = (): Promise<void> => {
    seq += 1
    return line.ask(seq)
  }
  const samples = await sample(next)
  const begun = performance.now()
  const until = seq + STREAMED
  const keep = async (): Promise<void> => {
    while (seq < until) await next()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, keep))
  const rate = (STREAMED * 1_000) / (performance.now() - begun)
  line.cut()
  return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99), rate }
}

/** Milliseconds from the loss of the connection to the first answer over the next one. */
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

async function openEcho(origin: string): Promise<Line> {
  const socket = new WebSocket(origin.replace(/^http/, 'ws'), { perMessageDeflate: false })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const line = createLine(socket)
  socket.on('message', (data) => line.answered(seqOf(String(data))))
  return line
}

/** As home does, with both hellos; the proof is not checked, since nothing is at stake. `sent`: highest number used. */
async function openTunnel(origin: string, key: DeviceKey, sent: number): Promise<Line> {
  const url = `${origin}/tunnel`
  const headers = signRequest(key, { method: 'GET', url, body: null, now: Date.now() })
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers, perMessageDeflate: false })
  const line = createLine(socket)
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

function createLine(socket: WebSocket): Line & { answered(seq: number): void } {
  const waiting = new Map<number, () => void>()
  return {
    ask: (seq) =>
      new Promise((resolve) => {
        waiting.set(seq, resolve)
        socket.send(encodeFrame({ kind: 'data', seq, body: BODY } satisfies Frame))
      }),
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
