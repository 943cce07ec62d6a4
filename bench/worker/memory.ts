/**
 * A Durable Object that stores facts with the edge's own store, cipher and search, and has nothing else of PFAR. Its keys are
 * the bench's. Called by bench/memory.ts only.
 */
import { DurableObject } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/durable-sqlite'
import { createEdgeSealer, keyPlace } from '../../durable-objects/principal/edge-sealer.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { createStore } from '../../integrations/store/store.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { fill, type Subject, search } from '../memory-facts.ts'

interface MemoryEnv {
  readonly MEMORY: DurableObjectNamespace<MemoryObject>
}

export class MemoryObject extends DurableObject<MemoryEnv> {
  readonly #subject: Subject

  constructor(ctx: DurableObjectState, env: MemoryEnv) {
    super(ctx, env)
    const db = drizzle(ctx.storage)
    migrate(db, STORE_MIGRATIONS)
    const sealer = createEdgeSealer({ ...keyPlace(ctx, new Uint8Array(32).fill(7)), locked: () => false })
    this.#subject = { place: 'edge', store: createStore(db), sealer }
  }

  async run(path: string, from: number, to: number): Promise<void> {
    if (path === '/fill') await fill(this.#subject, { from, to, words: true })
    else if (path === '/search') await search(this.#subject)
    else if (path === '/sleep') this.ctx.abort('woken again by the next request')
  }
}

export default {
  async fetch(request: Request, env: MemoryEnv): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const [from, to] = [Number(searchParams.get('from')), Number(searchParams.get('to'))]
    const done = env.MEMORY.getByName('one').run(pathname, from, to)
    // An evicted object fails the call that evicted it.
    await (pathname === '/sleep' ? done.catch(() => undefined) : done)
    return new Response('done')
  },
}
