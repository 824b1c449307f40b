import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/notices.tsx'

/** Cards that stand where results will be. */
export function ResultSkeletons() {
  return (
    <div aria-busy className="flex flex-col gap-3">
      {['first', 'second', 'third'].map((card) => (
        <Card key={card}>
          <Skeleton lines={3} label="Searching" />
        </Card>
      ))}
    </div>
  )
}
