/**
 * The edge by the test clock: `Date`, and the alarms of its objects, which the platform keeps by the real time. Loaded before
 * the program that edge-start.ts puts it in front of; nothing of it is in the product's bundle.
 */
import { MOVE_HOST, type Move } from './move.ts'
import { shiftDate } from './shifted-date.ts'
import { START } from './start.ts'

/** Where an object notes for when its alarm was set, by the test clock. */
const ALARM = 'test-clock:alarm'

let offset = START
/** Whether this program was told of a move. */
let hasMoved = false
shiftDate(() => offset)

type Wanted = Date | number
/** The alarms as the platform has them: of an object, or of a transaction in it. */
interface Alarms {
  setAlarm(at: Wanted, options?: DurableObjectSetAlarmOptions): Promise<void>
  getAlarm(options?: DurableObjectGetAlarmOptions): Promise<number | null>
  deleteAlarm(options?: DurableObjectSetAlarmOptions): Promise<void>
}

function shiftAlarms(alarms: Alarms, { kv }: DurableObjectStorage): Alarms {
  const real = {
    set: alarms.setAlarm.bind(alarms),
    get: alarms.getAlarm.bind(alarms),
    delete: alarms.deleteAlarm.bind(alarms),
  }
  const shifted: Alarms = {
    setAlarm(at, options) {
      kv.put(ALARM, Number(at))
      return real.set(Number(at) - offset, options)
    },
    async getAlarm(options) {
      const found = await real.get(options)
      // One without a note was set before there was a test clock.
      return found === null ? null : (kv.get<number>(ALARM) ?? found)
    },
    deleteAlarm(options) {
      kv.delete(ALARM)
      return real.delete(options)
    },
  }
  // The product may put its own in front of them, as its meter does.
  for (const [name, value] of Object.entries(shifted))
    Object.defineProperty(alarms, name, { value, writable: true, configurable: true })
  return shifted
}

function shiftStorage(storage: DurableObjectStorage): void {
  shiftAlarms(storage, storage)
  const transaction = storage.transaction.bind(storage)
  const shifted = <T>(work: (inside: DurableObjectTransaction) => Promise<T>) =>
    transaction((inside) => {
      shiftAlarms(inside, storage)
      return work(inside)
    })
  Object.defineProperty(storage, 'transaction', { value: shifted })
}

const hasStorage = (ctx: Partial<DurableObjectState>): boolean => ctx.storage?.kv !== undefined

function shiftSockets(ctx: DurableObjectState): void {
  const answeredAt = ctx.getWebSocketAutoResponseTimestamp.bind(ctx)
  const value = (socket: WebSocket) => {
    const at = answeredAt(socket)
    return at === null ? null : new Date(at.getTime() + offset)
  }
  Object.defineProperty(ctx, 'getWebSocketAutoResponseTimestamp', { value })
}

type ObjectClass = new (
  ctx: DurableObjectState,
  env: never,
) => { alarm?(info?: AlarmInvocationInfo): void | Promise<void> }

/** A class of objects that goes by the test clock. */
export function clocked(Product: ObjectClass): ObjectClass {
  return class extends Product {
    readonly #storage: DurableObjectStorage

    constructor(ctx: DurableObjectState, env: never) {
      // An object that is kept in memory alone has none.
      if (hasStorage(ctx)) shiftStorage(ctx.storage)
      shiftSockets(ctx)
      super(ctx, env)
      this.#storage = ctx.storage
    }

    override async alarm(info: AlarmInvocationInfo): Promise<void> {
      const wanted = this.#storage.kv.get<number>(ALARM) ?? info.scheduledTime
      // By the real time it is due; here it is not yet.
      if (wanted > Date.now()) await this.#storage.setAlarm(wanted)
      else await super.alarm?.(info)
    }

    /**
     * The clock was moved: the alarm with it. `isFirst`: the runtime was started anew, and until now went by an older time.
     * What it may have left for later as not due yet is looked at now, as an object does that wakes at this time.
     */
    async testClockMoved(isFirst: boolean): Promise<void> {
      const wanted = await this.#storage.getAlarm()
      if (isFirst && super.alarm !== undefined) await this.#storage.setAlarm(Date.now())
      else if (wanted !== null) await this.#storage.setAlarm(wanted)
    }
  }
}

interface Handler {
  fetch(request: Request, env: Spaces, ctx: ExecutionContext): Response | Promise<Response>
}

type Spaces = Readonly<Record<string, DurableObjectNamespace>>
type Entrypoint = new (ctx: ExecutionContext, env: Spaces) => { fetch(request: Request): Promise<Response> }

/** The program's own handler, an object or a class, but for the word that the clock was moved. */
export function clockedFetch(program: Handler | Entrypoint): Handler | Entrypoint {
  if (typeof program !== 'function')
    return {
      fetch: (request, env, ctx) =>
        isMove(request) ? moved(request, env) : program.fetch(request, env, ctx),
    }
  return class extends program {
    readonly #env: Spaces

    constructor(ctx: ExecutionContext, env: Spaces) {
      super(ctx, env)
      this.#env = env
    }

    override fetch(request: Request): Promise<Response> {
      return isMove(request) ? moved(request, this.#env) : super.fetch(request)
    }
  }
}

const isMove = (request: Request): boolean => new URL(request.url).hostname === MOVE_HOST

async function moved(request: Request, env: Spaces): Promise<Response> {
  const move = await request.json<Move>()
  const isFirst = !hasMoved && move.offset !== START
  hasMoved = true
  offset = move.offset
  await Promise.allSettled(
    move.objects.flatMap(([space, ids]) => ids.map((id) => tell(env[space], id, isFirst))),
  )
  return new Response()
}

/** An object that cannot be told, such as one that is being reset, asks for its alarm anew when it is back. */
async function tell(space: DurableObjectNamespace | undefined, id: string, isFirst: boolean): Promise<void> {
  const object = space?.get(space.idFromString(id)) as
    | { testClockMoved(isFirst: boolean): Promise<void> }
    | undefined
  await object?.testClockMoved(isFirst)
}
