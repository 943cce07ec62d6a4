/**
 * A language model of one's own that answers each request to plan with the steps of a test, and is set as the only one of an installation. Called by e2e tests.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Served, sendJson, serve } from '../kit/server.ts'

/** `answer`: the text for a prompt; `last`: the end of its last message, where the request stands. */
export function servePlanner(
  answer: (prompt: { readonly text: string; readonly last: string; readonly isPlan: boolean }) => string,
): Promise<Served> {
  return serve((request, response, body) => {
    if (request.method === 'GET') return sendJson(response, { data: [{ id: 'm', created: 1_000 }] })
    const { messages } = JSON.parse(body) as { readonly messages: readonly object[] }
    const text = JSON.stringify(messages)
    const last = JSON.stringify(messages.at(-1)).slice(-200)
    const content = answer({ text, last, isPlan: text.includes('plan the reads alone') })
    const pieces = [
      { choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ].map((piece) => JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...piece }))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return response.end([...pieces, '[DONE]'].map((line) => `data: ${line}\n\n`).join(''))
  })
}

/** Before the start of the installation in this folder. */
export function setPlanner(folder: string, { origin }: Pick<Served, 'origin'>): void {
  const provider = `kind = "openai"\nmodel = "m"\nbase_url = "${origin}/v1"\n`
  const text = `[models]\nchain = ["own"]\n\n[[models.providers]]\nname = "own"\n${provider}`
  appendFileSync(join(folder, 'config.toml'), text, { mode: 0o600 })
}
