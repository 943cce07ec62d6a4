/**
 * Services that the owner runs (`selfHosted` in a manifest): which addresses are valid for one, and which origin on the owner's
 * own network its tool alone may reach. Pure. Called by config.ts, by home's tools, by the test of a credential and by `pfar
 * connect`.
 */
import { isOwnAddress, unreachable } from '../../integrations/models/provider-settings.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'

type Services = Readonly<Record<string, string>>

/** Whether this credential belongs to a service that has no public address, only the owner's. */
export function isSelfHosted(service: string): boolean {
  return TOOL_MANIFESTS.some(({ credential, selfHosted }) => selfHosted === true && credential === service)
}

/**
 * Whether this address is valid for a self-hosted service: https, or an IP address on the owner's own network. A name on the own
 * network could point elsewhere later, so it is not accepted.
 */
export function isServiceAddress(service: string, url: string): boolean {
  return isSelfHosted(service) && unreachable(url, ownOrigin(url)) === null
}

/** By tool: the non-public origin that only this tool may reach. */
export function ownServiceOrigins(services: Services): Readonly<Record<string, readonly string[]>> {
  const rows = TOOL_MANIFESTS.flatMap(({ name, credential, selfHosted }) => {
    const url = credential === null || selfHosted !== true ? undefined : services[credential]
    return url === undefined ? [] : [[name, ownOrigin(url)] as const]
  })
  return Object.fromEntries(rows)
}

interface Named {
  readonly base_url?: string | undefined
  readonly fingerprint?: string | undefined
}

/** By origin, the fingerprints in force: those of self-hosted services over https on the owner's own network. */
export function certificatesOf(services: Readonly<Record<string, Named | undefined>>): Services {
  return Object.fromEntries(
    Object.entries(services).flatMap(([service, { base_url: url = '', fingerprint } = {}]) =>
      fingerprint !== undefined && mayConfirm(service, url) ? [[new URL(url).origin, fingerprint]] : [],
    ),
  )
}

/** A service whose fingerprint would have no effect; null if there is none. */
export function looseCertificate(services: Readonly<Record<string, Named | undefined>>): string | null {
  const loose = Object.entries(services).find(
    ([service, { base_url: url = '', fingerprint } = {}]) =>
      fingerprint !== undefined && !mayConfirm(service, url),
  )
  return loose?.[0] ?? null
}

/** Whether the owner may confirm an untrusted certificate at this address. */
export function mayConfirm(service: string, url: string): boolean {
  return url.startsWith('https:') && isSelfHosted(service) && isOwnAddress(url)
}

function ownOrigin(url: string): readonly string[] {
  return isOwnAddress(url) ? [new URL(url).origin] : []
}
