/**
 * Lets a tool test a credential before it is stored (L-18), with the client, hosts and deadline of a call, and no arguments.
 * Must not store anything, or use the text of an error that a tool throws. Called at home when the owner gives a credential.
 */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { Credential, Tool } from '../../kernel/tool/manifest.ts'
import { createScopedHttp } from '../http/scoped-client.ts'
import type { Transport } from '../http/transport.ts'
import { reachOf } from './credentials.ts'

/** Milliseconds of the test, while the owner waits. */
const CHECK_DEADLINE = 15_000

export interface CheckInput {
  readonly tool: Tool
  readonly credential: Credential
  readonly transport: Transport
  readonly exemptOrigins: readonly string[]
}

/** Null for a tool without a test. Refusals: the tool's own, tool_timeout, tool_failed. */
export async function checkCredential(input: CheckInput): Promise<Result<string | null> | null> {
  const { tool, credential, transport, exemptOrigins } = input
  const { name, network } = tool.manifest
  if (tool.check === undefined) return null
  const abort = new AbortController()
  const http = createScopedHttp({
    ...reachOf({ hosts: network, exemptOrigins }, network),
    ...{ transport, signal: abort.signal },
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Result<never>>((resolve) => {
    const over = err('tool_timeout', { tool: name, max: CHECK_DEADLINE })
    timer = setTimeout(() => resolve(over), CHECK_DEADLINE)
  })
  try {
    return await Promise.race([tool.check(Object.freeze({ credential, http })), late])
  } catch {
    return err('tool_failed', { tool: name })
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}
