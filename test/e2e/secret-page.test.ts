/**
 * The one-time page of a credential (L-15) in a real browser: under its own headers its script runs, seals what a person types for home,
 * and sends nothing else of it anywhere.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formPage, PAGE_HEADERS } from '../../worker/secret-form.ts'
import { opened, VIEW } from '../durable-objects/page-view.ts'
import { until } from '../home/fixtures/wait.ts'
import { type Browser, hasBrowser, startBrowser } from './browser.ts'

const VALUE = 'ya29.tYped-in-a-br0wser-6120'
const NEEDS = { skip: !hasBrowser(), meta: { needs: 'chromium' } }

/** Every request as text. */
const heard: string[] = []
const posted: string[] = []
let server: Server
let browser: Browser | null = null

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      heard.push([request.method, request.url, JSON.stringify(request.headers), body].join(' '))
      if (request.method === 'POST') posted.push(body)
      if (request.method === 'POST') response.writeHead(200).end()
      else response.writeHead(200, PAGE_HEADERS).end(formPage(VIEW))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  if (!NEEDS.skip) browser = await startBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await new Promise((done) => server.close(done))
})

test('what is typed leaves the browser in a box that home opens, and in nothing else', NEEDS, async () => {
  if (browser === null) throw new Error('there is no browser')
  const page = await browser.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/secret/n`)
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
