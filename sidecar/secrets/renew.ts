/**
 * Renews a secret with the tool that can, and unseals the present value only for that exchange (E-11). Must not store
 * the new value: rotation-job.ts does. Called by secret-vault.ts.
 */
import type { Transport } from '../../integrations/http/transport.ts'
import { renewCredential } from '../../integrations/tools/renew.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import type { Redactor } from './redactor.ts'
import type { SecretStore } from './secret-store.ts'

export interface RenewerInput {
  readonly tools: readonly Tool[]
  readonly transport: Transport
  readonly exemptOrigins: readonly string[]
  readonly secrets: Pick<SecretStore, 'unseal'>
  /** Vault name for the credential name of a manifest. */
  readonly nameOf: (credential: string) => string
  readonly redactor: Pick<Redactor, 'learn'>
}

/** Null if no tool can renew this secret. */
export function createRenewer(input: RenewerInput): (name: string) => Promise<Result<string> | null> {
  const { tools, transport, exemptOrigins, secrets, nameOf, redactor } = input
  return async (name) => {
    const tool = tools.find(
      ({ manifest, renew }) =>
        renew !== undefined && manifest.credential !== null && nameOf(manifest.credential) === name,
    )
    if (tool === undefined) return null
    const plain = await secrets.unseal(name)
    if (!plain.ok || !plain.value.scope.tools.includes(tool.manifest.name)) return null
    const { bytes, scope } = plain.value
    const credential = { scheme: 'bearer', value: new TextDecoder().decode(bytes) } as const
    bytes.fill(0)
    redactor.learn(name, credential.value)
    const renewed = await renewCredential({ tool, credential, hosts: scope.hosts, transport, exemptOrigins })
    if (renewed?.ok === true) redactor.learn(name, renewed.value)
    return renewed
  }
}
