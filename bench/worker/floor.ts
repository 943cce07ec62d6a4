/**
 * The floor that PFAR is compared with: a bare Worker → Durable Object that stores the turn in SQLite, calls a scripted model,
 * and posts the reply. No labels, no sealing, no plan. Called by bench/main.ts only.
 */
import { DurableObject } from 'cloudflare:workers'

interface FloorEnv {
  readonly FLOOR: DurableObjectNamespace<FloorObject>
  readonly MODEL_URL: string
  readonly DELIVER_URL: string
}

export class FloorObject extends DurableObject<FloorEnv> {
  constructor(ctx: DurableObjectState, env: FloorEnv) {
    super(ctx, env)
    ctx.storage.sql.exec('create table if not exists turns (id text primary key, words text, answer text)')
  }

  async receive(message: { readonly id: string; readonly text: string }, withModel: boolean): Promise<void> {
    const { sql } = this.ctx.storage
    sql.exec('insert into turns (id, words) values (?, ?)', message.id, message.text)
    const answer = withModel ? await this.ask(message.text) : 'hello'
    sql.exec('update turns set answer = ? where id = ?', answer, message.id)
    await fetch(this.env.DELIVER_URL, {
      method: 'POST',
      body: JSON.stringify({ id: message.id, text: answer }),
    })
  }

  private async ask(text: string): Promise<string> {
    const response = await fetch(this.env.MODEL_URL, { method: 'POST', body: JSON.stringify({ user: text }) })
    return ((await response.json()) as { text: string }).text
  }
}

export default {
  async fetch(request: Request, env: FloorEnv): Promise<Response> {
    const url = new URL(request.url)
    const message = await request.json<{ id: string; text: string }>()
    const object = env.FLOOR.getByName(url.pathname)
    await object.receive(message, !url.searchParams.has('no-model'))
    return new Response(null, { status: 202 })
  },
}
