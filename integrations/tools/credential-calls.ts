/**
 * Lets a tool test a credential before it is stored (L-18), or exchange it for a new one (E-11), with the client and hosts of a
 * call, and without arguments. Must not store anything, or use the text of an error that a tool throws. Called at home when the
 * owner gives a credential, and by its rotation.
 */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { Credential, Tool } from '../../kernel/tool/manifest.ts'
import { createScopedHttp } from '../http/scoped-client.ts'
import type { Transport } from '../http/transport.ts'
import { reachOf } from './credentials.ts'

/** Time limits in milliseconds for the test, during which the owner waits, and for the exchange. */
const CHECK_DEADLINE = 15_000
const RENEW_DEADLINE = 30_000

interface CredentialCall {
  readonly tool: Tool
  readonly credential: Credential
  readonly transport: Transport
  readonly exemptOrigins: readonly string[]
}

/**
 * Null for a tool without a test. `hosts`: those of the scope of a stored credential. Refusals: the tool's own, tool_timeout,
 * tool_failed.
 */
export async function checkCredential(
  call: CredentialCall & { readonly hosts?: readonly string[] },
): Promise<Result<string | null> | null> {
  const { check, manifest } = call.tool
  return check === undefined
    ? null
    : bounded(call, { run: check, hosts: call.hosts ?? manifest.network, most: CHECK_DEADLINE })
}

/** `hosts`: those of the credential's scope. Null for a tool whose service cannot exchange one. Refusals as above. */
export async function renewCredential(
  call: CredentialCall & { readonly hosts: readonly string[] },
): Promise<Result<string> | null> {
  const { renew } = call.tool
  return renew === undefined ? null : bounded(call, { run: renew, hosts: call.hosts, most: RENEW_DEADLINE })
}

interface Bounded<T> {
  readonly run: (call: Parameters<NonNullable<Tool['check']>>[0]) => Promise<Result<T>>
  readonly hosts: readonly string[]
  /** Milliseconds. */
  readonly most: number
}

async function bounded<T>(
  { tool, credential, transport, exemptOrigins }: CredentialCall,
  { run, hosts, most }: Bounded<T>,
): Promise<Result<T>> {
  const { name, network } = tool.manifest
  const abort = new AbortController()
  const reach = reachOf({ hosts: network, exemptOrigins }, hosts)
  const http = createScopedHttp({ ...reach, transport, signal: abort.signal })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Result<T>>((resolve) => {
    timer = setTimeout(() => resolve(err('tool_timeout', { tool: name, max: most })), most)
  })
  try {
    return await Promise.race([run(Object.freeze({ credential, http })), late])
  } catch {
    return err('tool_failed', { tool: name })
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}
