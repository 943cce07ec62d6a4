/** Where drizzle-kit finds the schema of home's secrets and puts its migrations. Read by `npm run migrations` only. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './sidecar/secrets/secret-schema.ts',
  out: './migrations/secrets',
})
