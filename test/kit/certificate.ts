/** A self-signed certificate, and an HTTPS server on this machine that presents it. Called by tests. */
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer, Served } from './server.ts'

export interface Certificate {
  readonly key: Buffer
  readonly cert: Buffer
  readonly fingerprint: string
}

export function newCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const read = readFileSync(cert)
  return { key: readFileSync(key), cert: read, fingerprint: new X509Certificate(read).fingerprint256 }
}

export interface ServedWithTls extends Served {
  /** Presents another certificate from now on, and closes open connections. */
  shows(certificate: Certificate): void
}

export async function serveWithTls(
  answer: Answer,
  { key, cert }: Certificate,
  port = 0,
): Promise<ServedWithTls> {
  const server: Server = createServer({ key, cert }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await answer(request, response, Buffer.concat(chunks).toString('utf8'))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  return {
    ...{ origin: `https://127.0.0.1:${own}`, port: own },
    shows(next) {
      server.setSecureContext({ key: next.key, cert: next.cert })
      server.closeAllConnections()
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
