"""What notebooks allow beyond Python: ``!ls``, ``%pip install x``, ``tools?``, ``IPython.display``.

Nothing of it is imported before code asks for it.
"""
