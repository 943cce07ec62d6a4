/**
 * Tests the stored credential of each account of a service with the harmless call that connecting makes (L-02), and returns the
 * result in words, with what to do. The credential is issued for that call alone, as for a tool's. Must not store or change a
 * credential. Called through `CredentialPort.check`.
 */
import type { Transport } from '../../integrations/http/transport.ts'
import { checkCredential } from '../../integrations/tools/credential-calls.ts'
import type { IssuedCredential } from '../../integrations/tools/credentials.ts'
import type { Checked } from '../../kernel/features/credentials/credential-port.ts'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { tell } from '../language/wording.ts'
import type { TrialRequest } from './credential-issuer.ts'
import { isRefusal } from './credential-service.ts'

export interface ServiceCheckInput {
  /** The current tools. */
  readonly tools: () => readonly Tool[]
  readonly transport: () => Transport
  readonly exemptOrigins: readonly string[]
  /** By tool name: origins on the owner's own network that only this tool may reach. */
  readonly ownOrigins: Readonly<Record<string, readonly string[]>>
  readonly issue: (request: TrialRequest) => Promise<Result<IssuedCredential>>
  /** The tool's service answered: closes the tool's circuit breaker. */
  readonly answered: (tool: string) => void
  /** Accounts of the service, as a call names them; null: the default one. */
  readonly accountsOf: (service: string) => readonly (string | null)[]
  /** Name of the service as shown to the owner. */
  readonly titleOf: (service: string) => string
}

export function createServiceCheck(input: ServiceCheckInput): (service: string) => Promise<Checked> {
  return async (service) => {
    const title = input.titleOf(service)
    const takers = input
      .tools()
      .filter(({ manifest, check }) => manifest.credential === service && check !== undefined)
    if (takers.length === 0) return { works: null, says: tell('secret_setup.not_tried', { title }) }
    const names: string[] = []
    for (const account of input.accountsOf(service)) {
      const tried = await tryAccount(input, { service, account, takers })
      if (!tried.ok) return { works: false, says: troubleOf(title, account, tried.reason.code) }
      if (tried.value !== null) names.push(tried.value)
    }
    const as = names.length === 0 ? '' : ` ${tell('secret_setup.answers_as', { accounts: names.join(', ') })}`
    return { works: true, says: tell('secret_setup.answers', { title }) + as }
  }
}

interface Trial {
  readonly service: string
  readonly account: string | null
  readonly takers: readonly Tool[]
}

/**
 * Returns the service's name of the account; null if it does not report one. Skips a tool that the credential may not be issued
 * to.
 */
async function tryAccount(
  { transport, exemptOrigins, ownOrigins, issue, answered }: ServiceCheckInput,
  { service, account, takers }: Trial,
): Promise<Result<string | null>> {
  let no: Result<string | null> = err('tool_unavailable')
  for (const tool of takers) {
    const { name } = tool.manifest
    const issued = await issue({ credential: service, account, tool: name })
    if (!issued.ok) {
      no = issued
      continue
    }
    const { credential, hosts, settle } = issued.value
    const exempt = [...exemptOrigins, ...(ownOrigins[name] ?? [])]
    const checked = await checkCredential({
      ...{ tool, credential, hosts, transport: transport(), exemptOrigins: exempt },
    })
    if (checked === null) continue
    if (checked.ok) settle('accepted')
    else settle(checked.reason.code === 'remote_unauthorized' ? 'rejected' : 'unclear')
    if (checked.ok) {
      for (const { manifest } of takers) answered(manifest.name)
      return checked
    }
    no = checked
  }
  return no
}

function troubleOf(title: string, account: string | null, code: ReasonCode): string {
  const isRefused = isRefusal(code) || code === 'credential_rejected' || code === 'credential_mismatch'
  const which = account === null ? '' : ` ${tell('secret_setup.which_account', { account })}`
  if (code === 'credential_missing') return tell('secret_setup.nothing_stored', { title }) + which
  if (isRefused) return tell('secret_setup.refused', { title }) + which
  return tell('secret_setup.unreached', { title, why: wordsFor(code) }) + which
}
