/**
 * The one-time page of a credential (L-15) in a real browser: under its own headers its script runs, seals what a person types for home,
 * and sends nothing else of it anywhere.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formPage, PAGE_HEADERS } from '../../worker/secret-form.ts'
import { opened, VIEW } from '../durable-objects/page-view.ts'
import { until } from '../home/fixtures/wait.ts'
import { serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'
import { type Browser, hasBrowser, startBrowser } from './browser.ts'

const VALUE = 'ya29.tYped-in-a-br0wser-6120'
const NEEDS = { skip: !hasBrowser(), meta: { needs: 'chromium' } }

/** Every request as text. */
const heard: string[] = []
const posted: string[] = []
let origin: string
let browser: Browser | null = null

beforeAll(async () => {
  const server = await serve((request, response, body) => {
    heard.push([request.method, request.url, JSON.stringify(request.headers), body].join(' '))
    if (request.method === 'POST') posted.push(body)
    if (request.method === 'POST') response.writeHead(200).end()
    else response.writeHead(200, PAGE_HEADERS).end(formPage(VIEW))
  })
  origin = closing(server).origin
  if (!NEEDS.skip) browser = await startBrowser()
}, 120_000)
afterAll(() => browser?.close())

test('what is typed leaves the browser in a box that home opens, and in nothing else', NEEDS, async () => {
  if (browser === null) throw new Error('there is no browser')
  const page = await browser.open(`${origin}/secret/n`)
  await until(() => page.read("!document.getElementById('send').disabled"), 20_000)
  expect(await page.read('document.body.innerText')).toContain(VIEW.fingerprint)
  await page.read("document.getElementById('value').focus()")
  await page.type(VALUE)
  await page.read("document.getElementById('send').click()")
  const said = await until(() => page.read("document.getElementById('said').textContent || null"), 20_000)
  expect(said).toMatch(/^Done\./)
  expect(await opened(posted[0] ?? '')).toBe(VALUE)
  expect(heard.join('\n')).not.toContain(VALUE)
  expect(await page.read("document.getElementById('value').value")).toBe('')
  // The policy of its headers forbids nothing that it does.
  expect(page.complaints).toEqual([])
})
