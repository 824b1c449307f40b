import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Router } from 'wouter'
import { createQueryClient } from './api/query-client.ts'
import { SessionGate } from './shell/session-gate.tsx'
import { Toasts } from './ui/toasts.tsx'

export function App() {
  const [queries] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queries}>
      <Toasts>
        <Router base="/app">
          <SessionGate />
        </Router>
      </Toasts>
    </QueryClientProvider>
  )
}
