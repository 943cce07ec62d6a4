/** Home's end of the tunnel for the worker suite: a real WebSocket and the same channel code, over memory. */
import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { LAST_SEEN } from '../../durable-objects/tunnel/socket.ts'
import { createChannel } from '../../kernel/tunnel/channel.ts'
import { type Body, encodeFrame, type Frame, type FrameOf, parseFrame } from '../../kernel/tunnel/frame.ts'
import { MemoryChannelStore } from '../tunnel/fixtures.ts'
import { until } from './edge.ts'
import { type SignOptions, signed } from './signed.ts'

const UPGRADE = { upgrade: 'websocket' }
/** Milliseconds until a waiting test fails. */
const PATIENCE = 15_000
/** A frame number that no test reaches. */
const FAR_AHEAD = 1_000_000

/** A hello that requests missing frames: it has no proof. */
function isAskedAgain(text: string): boolean {
  const frame = parseFrame(text)
  return frame.ok && frame.value.kind === 'hello' && frame.value.proof === null
}

export interface Closed {
  readonly code: number
}

export class HomePeer {
  readonly store: MemoryChannelStore
  readonly channel
  readonly #socket: WebSocket
  readonly #heard: string[] = []
  #wake: () => void = () => {}
  readonly closed: Promise<Closed>

  private constructor(socket: WebSocket, store: MemoryChannelStore) {
    this.store = store
    this.channel = createChannel(store)
    this.#socket = socket
    this.closed = new Promise((resolve) => {
      socket.addEventListener('close', ({ code }) => resolve({ code }))
    })
    socket.addEventListener('message', ({ data }) => {
      this.#heard.push(String(data))
      this.#wake()
    })
    socket.accept()
  }

  /** `store` holds home's state across connections. */
  static async connect(store = new MemoryChannelStore(), by: SignOptions = {}): Promise<HomePeer> {
    const response = await exports.default.fetch(await signed('/tunnel', { headers: UPGRADE, ...by }))
    if (response.webSocket === null) throw new Error(`no connection: ${response.status}`)
    return new HomePeer(response.webSocket, store)
  }

  /** Connects and exchanges hellos; `missed` are the bodies that the edge sends again. */
  static async greet(store = new MemoryChannelStore()): Promise<HomePeer> {
    const peer = await HomePeer.connect(store)
    const hello = await peer.next('hello')
    const missed = peer.channel.onHello(hello)
    peer.send(peer.channel.hello(hello.epoch))
    for (const frame of missed) peer.send(frame)
    return peer
  }

  send(frame: Frame): void {
    this.say(encodeFrame(frame))
  }

  say(text: string | ArrayBuffer): void {
    this.#socket.send(text)
  }

  /** Sends a body within the window; returns its last number. */
  put(body: Body): number {
    for (const frame of this.channel.send(body)) this.send(frame)
    return this.store.allocate() - 1
  }

  /** The next received text. */
  async hear(): Promise<string> {
    // Not by the date, which tests set and stop.
    const until = performance.now() + PATIENCE
    for (;;) {
      const [text] = this.#heard.splice(0, 1)
      if (text !== undefined) return text
      if (performance.now() > until) throw new Error('nothing was heard')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        setTimeout(resolve, 20)
      })
    }
  }

  /** The next frame, which must be of this kind. */
  async next<K extends Frame['kind']>(kind: K): Promise<FrameOf<K>> {
    const frame = parseFrame(await this.hear())
    if (!frame.ok || frame.value.kind !== kind) throw new Error(`expected ${kind}: ${JSON.stringify(frame)}`)
    return frame.value as FrameOf<K>
  }

  /** The next acknowledgement; synced turns before it are acknowledged. */
  async acked(): Promise<FrameOf<'ack'>> {
    for (;;) {
      const frame = parseFrame(await this.hear())
      if (frame.ok && frame.value.kind === 'ack') return frame.value
      if (!frame.ok || frame.value.kind !== 'data' || frame.value.body.type !== 'memory')
        throw new Error(`expected ack: ${JSON.stringify(frame)}`)
      if (this.channel.onData(frame.value) === 'deliver') this.send(this.channel.accepted(frame.value))
    }
  }

  /** Takes a body as home does: effect (none here), then the acknowledgement. */
  async take(): Promise<FrameOf<'data'>> {
    const frame = await this.next('data')
    if (this.channel.onData(frame) !== 'deliver') throw new Error(`not in order: ${frame.seq}`)
    this.send(this.channel.accepted(frame))
    return frame
  }

  /** Takes frames until a body is complete. */
  async takeWhole(): Promise<Body> {
    for (;;) {
      const frame = await this.next('data')
      const whole = this.channel.onData(frame) === 'deliver' ? this.channel.join(frame) : null
      if (whole?.ok !== true) throw new Error(`not in order or not whole: ${frame.seq}`)
      this.send(this.channel.accepted(frame))
      if (whole.value !== null) return whole.value
    }
  }

  /** Sends a body of any size, with the acknowledgements that let the rest of it go. */
  async putWhole(body: Body): Promise<void> {
    const last = this.put(body)
    for (let seq = 0; seq < last; ) {
      seq = (await this.acked()).seq
      for (const frame of this.channel.onAck(seq)) this.send(frame)
    }
  }

  /**
   * Resolves when the edge has handled everything sent so far: it takes frames in turn, and answers a frame far ahead with a hello.
   * Texts received before that hello can be read afterwards.
   */
  async settled(): Promise<void> {
    this.send({ kind: 'data', seq: FAR_AHEAD, body: { type: 'profile', timezone: 'UTC' } })
    const said: string[] = []
    for (;;) {
      const text = await this.hear()
      if (isAskedAgain(text)) break
      said.push(text)
    }
    this.#heard.unshift(...said)
  }

  async silent(): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return this.#heard.length === 0
  }

  close(): void {
    this.#socket.close(1_000)
  }
}

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)

/** Milliseconds until the alarm of KernelObject. */
export function alarmIn(): Promise<number> {
  return runInDurableObject(
    kernel(),
    async (_, { storage }) => ((await storage.getAlarm()) ?? 0) - Date.now(),
  )
}

/** Home connects, so that its absence counts from now on, and disconnects. Resolves when the edge has handled both. */
export async function homeWasHere(): Promise<void> {
  const peer = await HomePeer.greet()
  await peer.settled()
  // Connecting is recorded, too. So the row is deleted here, and reappears when the disconnection is recorded.
  const lastSeen = <T>(look: (kv: SyncKvStorage) => T) =>
    runInDurableObject(env.TUNNEL.getByName(TUNNEL_NAME), (_, { storage }) => look(storage.kv))
  await lastSeen((kv) => kv.delete(LAST_SEEN))
  peer.close()
  await until(
    () => lastSeen((kv) => kv.get<number>(LAST_SEEN)),
    (at) => at !== undefined,
  )
}
