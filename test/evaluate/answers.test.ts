/** The model server of an evaluation: recorded answers by the prompt's digest, or a provider behind a relay. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestOf, promptText, serveAnswers, serveRelay } from '../../bench/evaluate/answers.ts'
import { newFolder } from '../kit/folder.ts'
import { serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'

const BODY = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })

const post = (origin: string, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}${path}`, { method: 'POST', body: BODY, headers })

test('a prompt that has no answer is written by its digest and refused, and one that has gets it', async () => {
  const folder = newFolder('answers')
  const input = { answers: join(folder, 'answers.json'), prompts: join(folder, 'prompts') }
  const empty = closing(await serveAnswers(input))
  expect((await post(empty.origin, '/v1/chat/completions')).status).toBe(400)
  const [digest = ''] = empty.takeMissing()
  expect(digest).toBe(digestOf(promptText(BODY)))
  expect(empty.takeMissing()).toEqual([])
  expect(readFileSync(join(input.prompts, `${digest}.txt`), 'utf8')).toBe('### user\nHello\n')

  writeFileSync(input.answers, JSON.stringify({ [digest]: 'Good morning.' }))
  const known = closing(await serveAnswers(input))
  expect(await (await post(known.origin, '/v1/chat/completions')).text()).toContain('Good morning.')
  expect(known.takeMissing()).toEqual([])
})

test.each([
  ['anthropic', 'x-api-key', 'key-1'],
  ['openai', 'authorization', 'Bearer key-1'],
] as const)(
  'a relay gives a provider of kind %s its key, and nothing else of its caller',
  async (kind, name, value) => {
    const seen: unknown[] = []
    const provider = closing(
      await serve((request, response, body) => {
        seen.push(request.url, body, request.headers[name], request.headers['x-other'])
        response.writeHead(429, { 'content-type': 'text/plain' }).end('slowly')
      }),
    )
    const relay = closing(await serveRelay({ target: `${provider.origin}/base`, kind, key: 'key-1' }))
    const answer = await post(relay.origin, '/asked', { [name]: 'mine', 'x-other': 'mine' })
    expect([answer.status, await answer.text()]).toEqual([429, 'slowly'])
    expect(seen).toEqual(['/base/asked', BODY, value, undefined])
  },
)
