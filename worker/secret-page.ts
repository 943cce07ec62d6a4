/**
 * Routes of the one-time page on which the owner types a credential requested in a chat of the edge (L-15). `GET` shows the page
 * any number of times; `POST` accepts the sealed box from its script once. A link that this edge did not make wakes no object.
 * Must not say what is wrong with a link; never sees the credential. Called by worker/app.ts.
 */
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { objectName } from '../durable-objects/names.ts'
import { type EdgeEnv, settingsOf } from '../durable-objects/platform/env.ts'
import { askObject, errorResponse } from '../durable-objects/platform/errors.ts'
import { parseText, readBounded } from '../durable-objects/platform/signature.ts'
import { isPageNonce, type PageView, pageHash } from '../durable-objects/principal/credentials.ts'
import { err, type Result } from '../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { secretBox } from '../kernel/vault/secret-offer.ts'
import { noteAuthFailure } from './auth-failures.ts'
import { formPage, PAGE_HEADERS, refusalPage } from './secret-form.ts'

/** Longest request body in bytes: the longest box, in JSON. */
const MAX_PAGE_BYTES = 34_000

const body = z.strictObject({ box: secretBox })

type Page = Context<{ Bindings: EdgeEnv }, '/:nonce'>

export function secretPage(): Hono<{ Bindings: EdgeEnv }> {
  const app = new Hono<{ Bindings: EdgeEnv }>()
  app.get('/:nonce', async (context) => {
    const page = await ask(context, null)
    if (page.ok) return new Response(formPage(page.value), { headers: PAGE_HEADERS })
    if (page.reason.code !== 'nothing_found') return errorResponse(page.reason)
    return new Response(refusalPage(), { status: 404, headers: PAGE_HEADERS })
  })
  app.post('/:nonce', async (context) => {
    const sent = await take(context)
    if (!sent.ok) return errorResponse(sent.reason)
    return Response.json({ ok: true }, { headers: { 'cache-control': 'no-store' } })
  })
  return app
}

async function take(context: Page): Promise<Result<PageView>> {
  const read = await readBounded(context.req.raw, MAX_PAGE_BYTES)
  if (!read.ok) return read
  const parsed = parseText(body, new TextDecoder().decode(read.value))
  return parsed.ok ? ask(context, parsed.value.box) : parsed
}

/** Refusals: nothing_found for every invalid link; remote_rate_limited, and those of `answerPage`. */
async function ask({ req, env }: Page, box: string | null): Promise<Result<PageView>> {
  const settings = settingsOf(env)
  if (!settings.ok) return settings
  const nonce = req.param('nonce')
  if (!isPageNonce(settings.value.tokenKey, nonce)) {
    await noteAuthFailure(env, Date.now())
    return err('nothing_found')
  }
  const hash = pageHash(nonce)
  const within = await env.STRANGERS_RATE?.limit({ key: `page:${hash.toHex()}` })
  if (within?.success !== true) return err('remote_rate_limited')
  const object = env.PRINCIPALS.getByName(objectName(settings.value.nameKey, OWNER_PRINCIPAL))
  return askObject(() => object.page(OWNER_PRINCIPAL, { hash, box }))
}
