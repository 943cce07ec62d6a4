/**
 * The floor of the whole path: a bare webhook → Durable Object that stores the turn in SQLite, calls a streaming model and
 * sends its answer; with `?no-model` it sends a fixed sentence. No labels, no sealing, no plan. Called by bench/path.ts only.
 */
import { DurableObject } from 'cloudflare:workers'

interface FloorEnv {
  readonly BOT: DurableObjectNamespace<BotObject>
  readonly MODEL_URL: string
  readonly API_URL: string
  readonly SECRET: string
}

interface Update {
  readonly update_id: number
  readonly message: { readonly chat: { readonly id: number }; readonly text: string }
}

const OWN_ANSWER = 'Hello! What can I do for you?'

export class BotObject extends DurableObject<FloorEnv> {
  constructor(ctx: DurableObjectState, env: FloorEnv) {
    super(ctx, env)
    ctx.storage.sql.exec('create table if not exists turns (id integer primary key, words text, answer text)')
  }

  async receive(update: Update, asksModel: boolean): Promise<void> {
    const { update_id: id, message } = update
    const { sql } = this.ctx.storage
    sql.exec('insert into turns (id, words) values (?, ?)', id, message.text)
    this.ctx.waitUntil(this.#answer(update, asksModel))
  }

  async #answer({ update_id: id, message: { chat, text } }: Update, asksModel: boolean): Promise<void> {
    const answer = asksModel ? await this.#ask(text) : OWN_ANSWER
    this.ctx.storage.sql.exec('update turns set answer = ? where id = ?', answer, id)
    const sent = await fetch(`${this.env.API_URL}/sendMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chat_id: chat.id, text: answer }),
    })
    await sent.arrayBuffer()
  }

  async #ask(text: string): Promise<string> {
    const messages = [{ role: 'user', content: text }]
    const response = await fetch(`${this.env.MODEL_URL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', stream: true, messages }),
    })
    let [answer, rest] = ['', '']
    const pieces = response.body?.pipeThrough(new TextDecoderStream()) ?? []
    for await (const piece of pieces as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (!line.startsWith('data: {')) continue
        const { choices } = JSON.parse(line.slice(6)) as {
          choices: readonly { readonly delta: { readonly content?: string } }[]
        }
        answer += choices[0]?.delta.content ?? ''
      }
    }
    return answer
  }
}

export default {
  async fetch(request: Request, env: FloorEnv): Promise<Response> {
    if (request.headers.get('x-telegram-bot-api-secret-token') !== env.SECRET)
      return new Response(null, { status: 401 })
    const update = await request.json<Update>()
    await env.BOT.getByName(String(update.message.chat.id)).receive(
      update,
      !new URL(request.url).searchParams.has('no-model'),
    )
    return Response.json({ ok: true })
  },
}
