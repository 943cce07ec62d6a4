/**
 * Whether a provider is the owner's own (DESIGN §1, D-02 – D-04): derived from its address, never declared.
 *
 * Data: prompts. Readers: whoever runs the server. Rationale: an address of this machine or of a private network is the owner's; a
 * name may point elsewhere tomorrow, and every other address belongs to a company. A local proxy that forwards prompts to a company
 * looks local: the owner can mark it as `cloud`, and two are known: Anthropic's API has no local server, and Ollama runs some
 * models in its cloud.
 */
import ipaddr from 'ipaddr.js'
import type { ModelReader } from '../../kernel/flow/policy.ts'
import { withoutBrackets } from '../http/address.ts'
import { type ProviderEntry, urlOf } from './provider-settings.ts'

const OWN_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal']

/** Name of a model that Ollama runs in its cloud: `name:cloud`, `name:120b-cloud`. */
const ELSEWHERE = /[:-]cloud$/i

/** As seen from home. For the edge every provider is a cloud. */
export function localityOf(
  entry: Pick<ProviderEntry, 'kind' | 'base_url' | 'model' | 'cloud'>,
): 'home' | 'cloud' {
  const { kind, model, cloud } = entry
  // Checked for every kind: Ollama also offers other providers' APIs.
  if (cloud || kind === 'anthropic' || ELSEWHERE.test(model.trim())) return 'cloud'
  return isOwnAddress(urlOf(entry)) ? 'home' : 'cloud'
}

/** True for an address literal of this machine or of a private network; of names only for `localhost`. */
export function isOwnAddress(url: string): boolean {
  const host = withoutBrackets(URL.parse(url)?.hostname ?? '')
  if (host === 'localhost') return true
  return !host.includes('%') && ipaddr.isValid(host) && OWN_RANGES.includes(ipaddr.parse(host).range())
}

/** The highest label the provider may read; for a cloud, `sensitive` needs the owner's acknowledgement. */
export function readerOf(id: string, locality: 'home' | 'cloud'): ModelReader {
  return locality === 'home'
    ? { id, locality, level: 'regulated', compartments: 'all' }
    : { id, locality, level: 'sensitive', compartments: [] }
}
