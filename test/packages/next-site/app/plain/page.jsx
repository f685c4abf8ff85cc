/** A page of the server with the tag and the script, which may run before or after the hydration. */

export default function Page() {
  return (
    <>
      <script type="module" async src="/vestibule/widget.js" />
      <vestibule-comments forum="news" page="https://www.example.com/articles/1" heading-level={3} placeholder="Speak" />
      <vestibule-count forum="news" page="https://www.example.com/articles/1">Comments</vestibule-count>
    </>
  );
}
