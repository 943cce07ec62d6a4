/** One tool call as the port makes it, over a real client, with the result checked as the kernel checks it. */
import type { ScopedHttpOptions } from '../../integrations/http/scoped-client.ts'
import type { CredentialSource } from '../../integrations/tools/credentials.ts'
import { parseFields } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Breakers } from '../../kernel/powers/breaker.ts'
import type { CapabilityToken } from '../../kernel/task/capability.ts'
import type { Credential, Tool } from '../../kernel/tool/manifest.ts'
import { startClient } from './servers.ts'

export const BEARER: Credential = { scheme: 'bearer', value: 'token-of-the-owner' }

/** Where failures are the test's own and none is counted. */
export const NO_BREAKER: Pick<Breakers, 'enter' | 'leave'> = { enter: () => ok(true), leave: () => undefined }

/** A source that gives this credential to whoever asks, for these hosts; null: there is none. */
export function sourceOf(
  credential: Credential | null,
  hosts: readonly string[] = ['api.example.com'],
): CredentialSource {
  return {
    issue: async ({ credential: name }) =>
      credential === null
        ? err('credential_missing', { credential: name })
        : ok({ credential, hosts, settle: () => undefined }),
    has: () => credential !== null,
  }
}

/** `along`: digest of the form in which a key goes along. */
export function tokenFor(
  tool: string,
  id = 'cap1',
  principal = 'principal:owner',
  along?: string,
): CapabilityToken {
  return {
    claims: {
      id,
      place: 'home',
      task: 't1',
      template: 'owner_private',
      principal,
      step: 's1',
      tool,
      scope: '',
      argsDigest: '',
      ...(along !== undefined && { along }),
      argsTaint: { level: 'clean', origins: [], touchedBy: [] },
      approval: null,
      issuedAt: 0,
      expiresAt: 1,
      maxInvocations: 1,
    },
    mac: '00',
  }
}

export interface CallOptions extends Partial<ScopedHttpOptions> {
  readonly credential?: Credential | null
  /** Id of the capability. */
  readonly capability?: string
  readonly principal?: string
}

/** Executes and validates; the declared output is what comes back, so a field that does not fit fails the test. */
export async function callTool(
  tool: Tool,
  action: string,
  args: { readonly [key: string]: Json },
  options: CallOptions = {},
): Promise<Result<Json>> {
  const { credential = BEARER, capability = 'cap1', principal, ...http } = options
  const declared = tool.manifest.actions.find(({ id }) => id === action)
  if (declared === undefined) throw new Error(`no action ${action}`)
  const outcome = await tool.execute({
    action,
    args,
    capability: tokenFor(action, capability, principal),
    credential,
    http: startClient({ hosts: tool.manifest.network, ...http }),
  })
  return outcome.ok ? parseFields(declared.output, outcome.output, 'drop') : outcome
}

/** The value of a call that must succeed. */
export function outputOf(result: Result<Json>): Record<string, Json> {
  if (!result.ok) throw new Error(`refused: ${result.reason.code} ${JSON.stringify(result.reason.facts)}`)
  return result.value as Record<string, Json>
}

export function refusal(code: string, facts: object = {}): object {
  return { ok: false, reason: { code, facts } }
}
