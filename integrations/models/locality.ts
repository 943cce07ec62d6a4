/**
 * Whether a provider is the owner's own (DESIGN §1, D-02 – D-04): derived from its address, never declared.
 *
 * Data: prompts. Readers: whoever runs the server. Rationale: an address of this machine or of a private network is the
 * owner's; a name can lead anywhere tomorrow, and every other address is a company's. What hands prompts on from here to a
 * company looks like the owner's own, so that it may be said of a provider, and is known of two: Anthropic's interface has
 * no server at home, and Ollama runs a model of that name in its cloud.
 */
import ipaddr from 'ipaddr.js'
import type { ModelReader } from '../../kernel/flow/policy.ts'
import { withoutBrackets } from '../http/address.ts'
import { type ProviderEntry, urlOf } from './provider-settings.ts'

const OWN_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal']

/** How Ollama calls a model that it runs elsewhere: `name:cloud`, `name:120b-cloud`. */
const ELSEWHERE = /[:-]cloud$/i

/** As home sees it. For the edge every provider is a cloud. */
export function localityOf(
  entry: Pick<ProviderEntry, 'kind' | 'base_url' | 'model' | 'cloud'>,
): 'home' | 'cloud' {
  const { kind, model, cloud } = entry
  // Whatever it is spoken to by: Ollama has the interface of others, too.
  if (cloud || kind === 'anthropic' || ELSEWHERE.test(model.trim())) return 'cloud'
  return isOwnAddress(urlOf(entry)) ? 'home' : 'cloud'
}

/** Of this machine or of a private network, written as an address; `localhost` alone counts as one. */
export function isOwnAddress(url: string): boolean {
  const host = withoutBrackets(URL.parse(url)?.hostname ?? '')
  if (host === 'localhost') return true
  return !host.includes('%') && ipaddr.isValid(host) && OWN_RANGES.includes(ipaddr.parse(host).range())
}

/** What it may read at most: the acknowledgement of the owner stands before a cloud's `sensitive`. */
export function readerOf(id: string, locality: 'home' | 'cloud'): ModelReader {
  return locality === 'home'
    ? { id, locality, level: 'regulated', compartments: 'all' }
    : { id, locality, level: 'sensitive', compartments: [] }
}
