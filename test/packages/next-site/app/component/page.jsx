/** A page of the server with a client component. */

import { Comments } from './comments.jsx';

export default function Page() {
  return <Comments />;
}
