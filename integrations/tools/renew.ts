/**
 * Lets a tool exchange its credential for a new one (E-11), with the client, hosts and deadline of a call, and no arguments.
 * Must not store anything, or use the text of an error that a tool throws. Called by home's rotation.
 */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { Credential, Tool } from '../../kernel/tool/manifest.ts'
import { createScopedHttp } from '../http/scoped-client.ts'
import type { Transport } from '../http/transport.ts'
import { reachOf } from './credentials.ts'

/** Milliseconds for the exchange. */
const RENEW_DEADLINE = 30_000

export interface RenewInput {
  readonly tool: Tool
  readonly credential: Credential
  /** Hosts of the credential's scope. */
  readonly hosts: readonly string[]
  readonly transport: Transport
  readonly exemptOrigins: readonly string[]
}

/** Null for a tool whose service cannot exchange one. Refusals: the tool's own, tool_timeout, tool_failed. */
export async function renewCredential(input: RenewInput): Promise<Result<string> | null> {
  const { tool, credential, hosts, transport, exemptOrigins } = input
  const { name, network } = tool.manifest
  if (tool.renew === undefined) return null
  const abort = new AbortController()
  const reach = reachOf({ hosts: network, exemptOrigins }, hosts)
  const http = createScopedHttp({ ...reach, transport, signal: abort.signal })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Result<string>>((resolve) => {
    timer = setTimeout(
      () => resolve(err('tool_timeout', { tool: name, max: RENEW_DEADLINE })),
      RENEW_DEADLINE,
    )
  })
  try {
    return await Promise.race([tool.renew(Object.freeze({ credential, http })), late])
  } catch {
    return err('tool_failed', { tool: name })
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}
