/**
 * Recovery routes for a new home that has only the recovery phrase (DESIGN §6): it reads the copies and replaces the lost home.
 * Requests are signed with the key derived from the phrase, which is valid for no other route. Must not decide who is enrolled:
 * KernelObject does. Called by worker/app.ts.
 */
import { type Context, Hono } from 'hono'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { type EdgeEnv, keyOf } from '../../durable-objects/platform/env.ts'
import { errorResponse, respond } from '../../durable-objects/platform/errors.ts'
import { checkSignature, readSignedJson, type SignedBy } from '../../durable-objects/platform/signature.ts'
import { countOne, type RateWindow } from '../../durable-objects/rate-window.ts'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { isChunkName, newHomeSchema, RECOVERY_ID } from '../../kernel/tunnel/copies.ts'
import { noteAuthFailure } from '../auth-failures.ts'
import { createCopyArchive } from './copy-archive.ts'

/** Requests a minute without a valid signature for which one isolate reads the key again: they must not wake the object without end. */
export const MAX_FAILURES = 10

let failures: RateWindow | null = null
/** Cached recovery key; undefined before the first read. */
let known: string | null | undefined

type Line = Context<{ Bindings: EdgeEnv }>

export function recovery(): Hono<{ Bindings: EdgeEnv }> {
  const routes = new Hono<{ Bindings: EdgeEnv }>()
  routes.get('/', (context) =>
    admitted(context, null, async ({ env }) => {
      const generations = await createCopyArchive(env.COPIES).list()
      if (!generations.ok) return errorResponse(generations.reason)
      const recoveryKey = await env.KERNEL.getByName(KERNEL_NAME).recoveryKey()
      return Response.json({ generations: generations.value, recoveryKey })
    }),
  )
  routes.get('/generations/:number', (context) =>
    admitted(context, 'copies', async ({ env, req }) =>
      respond(await createCopyArchive(env.COPIES).generation(Number(req.param('number')))),
    ),
  )
  routes.get('/chunks/:name', (context) =>
    admitted(context, null, async ({ env, req }) => {
      const name = req.param('name') ?? ''
      const found = isChunkName(name)
        ? await createCopyArchive(env.COPIES).chunk(name)
        : err('event_malformed')
      return found.ok ? new Response(found.value) : errorResponse(found.reason)
    }),
  )
  routes.post('/homes', (context) =>
    admitted(context, null, async ({ env, req }) => {
      const body = await readSignedJson(req.raw, newHomeSchema)
      const publicKey = body.ok ? keyOf(body.value.publicKey) : null
      if (publicKey === null) return errorResponse({ code: 'event_malformed' })
      const replaced = await env.KERNEL.getByName(KERNEL_NAME).replaceHome(publicKey)
      if (!replaced.ok) return errorResponse(replaced.reason)
      // Read after the replacement: the former home can add no generation any more.
      const generations = await createCopyArchive(env.COPIES).list()
      if (!generations.ok) return errorResponse(generations.reason)
      return Response.json({ ...replaced.value, newest: generations.value[0]?.number ?? 0 })
    }),
  )
  return routes
}

async function admitted(
  context: Line,
  what: 'copies' | null,
  work: (context: Line) => Promise<Response>,
): Promise<Response> {
  const { env, req } = context
  const signed = await checkRecovery(req.raw, env)
  if (!signed.ok) return errorResponse(signed.reason)
  const once = await env.KERNEL.getByName(KERNEL_NAME).admitRecovery(signed.value, what)
  return once.ok ? work(context) : errorResponse(once.reason)
}

/** Checks every signature, also in a flood, so that others' failures do not lock the owner out. Refusal: signature_invalid. */
async function checkRecovery(request: Request, env: EdgeEnv): Promise<Result<SignedBy>> {
  const now = Date.now()
  if (!request.headers.has('signature-input')) return err('signature_invalid', { why: 'missing' })
  const text = await recoveryKey(env, now)
  const publicKey = text === null ? null : keyOf(text)
  const keys = publicKey === null ? [] : [{ id: RECOVERY_ID, publicKey }]
  const signed = await checkSignature(request, keys, now)
  if (signed.ok) return signed
  failures = countOne(failures, now, MAX_FAILURES).window
  await noteAuthFailure(env, now)
  return signed
}

/**
 * In a flood returns the cached key, at most a minute old: checking a signature costs a fraction of a millisecond, waking the
 * object far more.
 */
async function recoveryKey(env: EdgeEnv, now: number): Promise<string | null> {
  const isFlooded = !countOne(failures, now, MAX_FAILURES).within
  if (known === undefined || !isFlooded) known = await env.KERNEL.getByName(KERNEL_NAME).recoveryKey()
  return known
}
